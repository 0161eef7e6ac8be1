import * as z from 'zod';
import { CONSENT_PURPOSES, CONSENT_STATES } from '#lib/messaging/schema/consent-types.ts';
import { readRecipient } from '#lib/messaging/sending/recipient.ts';
import { durationUnit, findDurationProblem } from '#lib/tasks/durations.ts';
import { hasVariables, isMissing, numberSetting, variableText } from '#lib/tasks/setting-values.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import { customerConsentKind } from './kind.ts';

const ACTIONS = ['hand_over', 'set_consent', 'check_consent'] as const;

const forActions = (...is: (typeof ACTIONS)[number][]) => ({ visibleWhen: { field: 'action', is } });

/** As of a hold that is entered by hand. */
export const MAX_HOLD_REASON = 500;

const settings = z
  .strictObject({
    action: z
      .enum(ACTIONS)
      .default('hand_over')
      .meta({
        title: 'Action',
        labels: { hand_over: 'Hand over', set_consent: 'Set consent', check_consent: 'If consented' },
      }),
    recipient: variableText().default('').meta({
      title: 'Customer',
      description: 'With country code, for example +1 555 010 1002; or a customer’s user ID.',
      placeholder: '{{task_1_from}}',
      variables: true,
    }),
    consent_purpose: z
      .enum(CONSENT_PURPOSES)
      .default('marketing')
      .meta({
        title: 'Messages',
        description: 'Marketing: message templates of that category.',
        labels: { marketing: 'Marketing', all: 'All messages' },
        ...forActions('set_consent', 'check_consent'),
      }),
    consent_state: z
      .enum(CONSENT_STATES)
      .default('given')
      .meta({
        title: 'The customer',
        labels: { given: 'agreed to them', stopped: 'stopped them' },
        ...forActions('set_consent'),
      }),
    hold_amount: numberSetting()
      .default('')
      .meta({
        title: 'Hold for',
        description: 'Left empty: until it is released.',
        variables: true,
        widget: 'number',
        placeholder: '24',
        ...forActions('hand_over'),
      }),
    hold_unit: durationUnit('hours').meta({
      title: 'Unit',
      labels: { minutes: 'Minutes', hours: 'Hours', days: 'Days' },
      ...forActions('hand_over'),
    }),
    hold_reason: variableText()
      .default('')
      .meta({
        title: 'Reason',
        description: 'For those who look at the customer.',
        variables: true,
        ...forActions('hand_over'),
      }),
  })
  .check(({ value, issues }) => {
    const report = (field: keyof typeof value, message: string | undefined): void => {
      if (message !== undefined) issues.push({ code: 'custom', path: [field], message, input: value[field] });
    };
    const { recipient, action, hold_amount: amount } = value;
    if (isMissing(recipient)) report('recipient', 'Enter a customer.');
    else if (!hasVariables(recipient)) report('recipient', readRecipient(recipient.trim()).problem);
    if (action === 'hand_over' && !isMissing(amount))
      report('hold_amount', findDurationProblem(amount, value.hold_unit));
  });

/** Records and checks what a customer agreed to, and leaves a customer to people (lib/messaging/consent). */
export const customerConsent = {
  ...customerConsentKind,
  settings,
  outputs: z.object({
    action: z.enum(ACTIONS).meta({ title: 'Action', description: 'The action name.' }),
    recipient: z.string().meta({ title: 'Customer', description: 'Digits of the number, or a user ID.' }),
    purpose: z.string().optional().meta({ title: 'Messages', description: 'Of consent: marketing or all.' }),
    state: z
      .string()
      .optional()
      .meta({ title: 'State', description: 'Of consent: given, stopped or unknown.' }),
    until: z.string().optional().meta({
      title: 'Until',
      description: 'hand_over: when the hold ends, ISO 8601. Empty: when it is released.',
    }),
  }),
} satisfies TaskDefinition;

export type CustomerConsentSettings = z.output<typeof settings>;
