// Settings and output fields that sends have in common; for any task that sends.
import * as z from 'zod';
import { AWAITED_STATUSES, readWithheld, WITHHELD_WORDS } from '#lib/messaging/schema/message-statuses.ts';
import { CONSENT_PURPOSES } from '#lib/messaging/schema/consent-types.ts';
import { durationUnit, findDurationProblem } from '#lib/tasks/durations.ts';
import { numberSetting } from '#lib/tasks/setting-values.ts';
import { waitsForDelivery } from './exits.ts';

const shownWhileItWaits = { visibleWhen: { field: 'wait_until', is: AWAITED_STATUSES } };

/** @param meta its position in the form */
export const deliverySettings = (meta: Pick<z.GlobalMeta, 'visibleWhen'> = {}) => ({
  wait_until: z
    .enum(['none', ...AWAITED_STATUSES])
    .default('none')
    .meta({
      title: 'Wait until',
      description:
        'Continue at once, or when the platform reports the message as delivered or read. Each outcome has its own exit.',
      labels: { none: 'Do not wait', delivered: 'Delivered', read: 'Read' },
      ...meta,
    }),
  wait_amount: numberSetting()
    .default(5)
    .meta({ title: 'Wait at most', variables: true, widget: 'number', ...shownWhileItWaits }),
  wait_unit: durationUnit('minutes').meta({ title: 'Unit', ...shownWhileItWaits }),
});

/** Who wrote what a send sends. @param meta its position in the form */
export const authorSetting = (meta: Pick<z.GlobalMeta, 'visibleWhen'> = {}) => ({
  written_by: z
    .enum(['workflow', 'person'])
    .default('workflow')
    .meta({
      title: 'Written by',
      description:
        'What a person wrote, such as a reply in your inbox, is also sent while the customer is on hold. The customer’s page marks it.',
      labels: { workflow: 'The workflow', person: 'A person' },
      ...meta,
    }),
});

export type DeliverySettings = z.output<z.ZodObject<ReturnType<typeof deliverySettings>>>;

/** The problem of a send's waiting time; undefined: none, or only known in a run. */
export const findDeliveryProblem = (
  settings: Pick<DeliverySettings, 'wait_until' | 'wait_amount' | 'wait_unit'>,
): string | undefined =>
  waitsForDelivery(settings) ? findDurationProblem(settings.wait_amount, settings.wait_unit) : undefined;

/** Additional output fields of a send that waited. */
export const deliveryOutputs = {
  status_at: z.string().optional().meta({
    title: 'Status at',
    description:
      'When the message had the status, by the platform’s clock, in ISO 8601; of a send that waited.',
  }),
  errors: z.array(z.unknown()).optional().meta({
    title: 'Errors',
    description: 'The platform’s errors of a message that could not be delivered; of a send that waited.',
  }),
};

/** Additional output field of a send that left by "Customer stopped". */
export const stoppedOutputs = {
  stopped: z.enum(CONSENT_PURPOSES).optional().meta({
    title: 'Stopped',
    description:
      'What the customer stopped, or gets no more of, when the message was not sent because of that: marketing or all.',
  }),
};

// How the platform accepted a message (`message_status`), in the output and the run text of sending tasks.

export const acceptanceOutputs = {
  message_status: z.string().optional().meta({
    title: 'Message status',
    description:
      'State of the message when the platform accepted it: accepted, held_for_quality_assessment (sent or failed after a quality check of the template) or paused (not sent, because the template is paused). Missing if the platform did not return it.',
  }),
};

/** A run text, with the reason why an accepted message is not sent. @param messageStatus empty: not returned */
export function withAcceptance(runText: string, messageStatus: string): string {
  const withheld = readWithheld(messageStatus);
  return withheld === undefined ? runText : `${runText} ${WITHHELD_WORDS[withheld]}`;
}
