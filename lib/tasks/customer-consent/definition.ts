import * as z from 'zod';
import { attributeName } from '#lib/messaging/attributes/schema.ts';
import {
  ATTRIBUTE_TYPE_LABELS,
  ATTRIBUTE_TYPES,
  MAX_ATTRIBUTES,
} from '#lib/messaging/schema/attribute-types.ts';
import { CONSENT_PURPOSES, CONSENT_STATES } from '#lib/messaging/schema/consent-types.ts';
import { readRecipient } from '#lib/messaging/sending/recipient.ts';
import { durationUnit, findDurationProblem } from '#lib/tasks/durations.ts';
import {
  hasVariables,
  isMissing,
  jsonSetting,
  numberSetting,
  settingRows,
  variableText,
} from '#lib/tasks/setting-values.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import type { TaskExample } from '#lib/tasks/task-example.ts';
import { customerConsentKind } from './kind.ts';

const ACTIONS = ['hand_over', 'give_back', 'set_consent', 'check_consent', 'remember', 'recall'] as const;
/** They may leave the customer out: then it is the run's. */
const OF_RUN: readonly string[] = ['remember', 'recall'];

const forActions = (...is: (typeof ACTIONS)[number][]) => ({ visibleWhen: { field: 'action', is } });

/** As of a hold that is entered by hand. */
export const MAX_HOLD_REASON = 500;

const nameField = () =>
  attributeName.meta({ title: 'Name', description: 'Letters, digits and underscores.', placeholder: 'city' });

const remembered = z.strictObject({
  name: nameField(),
  type: z.enum(ATTRIBUTE_TYPES).default('text').meta({ title: 'Type', labels: ATTRIBUTE_TYPE_LABELS }),
  value: jsonSetting().default('').meta({
    title: 'Value',
    description: 'A text with variables. Left empty, the attribute is removed.',
    variables: true,
  }),
});

const recalled = z.strictObject({
  name: nameField(),
  default_value: jsonSetting().default('').meta({
    title: 'Default',
    description: 'What later tasks get where nothing was remembered.',
    variables: true,
  }),
});

const settings = z
  .strictObject({
    action: z
      .enum(ACTIONS)
      .default('hand_over')
      .meta({
        title: 'Action',
        labels: {
          hand_over: 'Hand over',
          give_back: 'Give back',
          set_consent: 'Set consent',
          check_consent: 'If consented',
          remember: 'Remember',
          recall: 'Recall',
        },
      }),
    recipient: variableText().default('').meta({
      title: 'Customer',
      description:
        'With country code, for example +1 555 010 1002; or a customer’s user ID. Remember and Recall may leave it empty: the customer whose message started or continued the run, else the only one whom it sent something.',
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
    attributes: z
      .array(remembered)
      .max(MAX_ATTRIBUTES, `At most ${MAX_ATTRIBUTES} attributes.`)
      .default([])
      .meta({ title: 'Attributes', widget: 'list', ...forActions('remember') }),
    recalled: z
      .array(recalled)
      .max(MAX_ATTRIBUTES, `At most ${MAX_ATTRIBUTES} attributes.`)
      .default([])
      .meta({ title: 'Attributes', widget: 'list', ...forActions('recall') }),
  })
  .check(({ value, issues }) => {
    const report = (field: keyof typeof value, message: string | undefined): void => {
      if (message !== undefined) issues.push({ code: 'custom', path: [field], message, input: value[field] });
    };
    const { recipient, action, hold_amount: amount } = value;
    if (isMissing(recipient)) {
      if (!OF_RUN.includes(action)) report('recipient', 'Enter a customer.');
    } else if (!hasVariables(recipient)) report('recipient', readRecipient(recipient.trim()).problem);
    if (action === 'hand_over' && !isMissing(amount))
      report('hold_amount', findDurationProblem(amount, value.hold_unit));
    const list = listOf(action);
    if (list === undefined) return;
    if (value[list].length === 0) report(list, 'Add an attribute.');
    const seen = new Set<string>();
    value[list].forEach(({ name }, index) => {
      if (seen.has(name)) {
        const message = `The name "${name}" is used twice: each attribute needs its own name.`;
        issues.push({ code: 'custom', input: name, path: [list, index, 'name'], message });
      }
      seen.add(name);
    });
  });

/** The setting with the attributes of an action; undefined: it has none. */
function listOf(action: unknown): 'attributes' | 'recalled' | undefined {
  if (action === 'remember') return 'attributes';
  return action === 'recall' ? 'recalled' : undefined;
}

/** Leaves a customer to people, records and checks what they agreed to, and remembers values. */
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
  outputsFrom: (values) => {
    const list = listOf(values['action']);
    const names = settingRows(list && values[list]).flatMap(({ name }) =>
      typeof name === 'string' ? [name] : [],
    );
    return z.object(Object.fromEntries(names.map((name) => [name, z.unknown()])));
  },
} satisfies TaskDefinition;

export type CustomerConsentSettings = z.output<typeof settings>;

export const customerConsentExample: TaskExample = {
  says: 'Records that a customer agreed to marketing messages, as a form of another system reports it.',
  event: { customer: { phone: '15550103009' } },
  settings: {
    action: 'set_consent',
    recipient: '{{task_1_customer_phone}}',
    consent_purpose: 'marketing',
    consent_state: 'given',
  },
  output: { action: 'set_consent', recipient: '15550103009', purpose: 'marketing', state: 'given' },
};
