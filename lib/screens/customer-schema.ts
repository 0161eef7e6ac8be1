// Customers and their messages, as screens and the API have them.
import * as z from 'zod';
import { EVENT_OUTCOMES } from '#lib/engine/event-types.ts';
import { attributeSchema } from '#lib/messaging/attributes/schema.ts';
import { ATTRIBUTE_TYPES } from '#lib/messaging/schema/attribute-types.ts';
import { CONSENT_STATES, EVIDENCE_KINDS } from '#lib/messaging/schema/consent-types.ts';
import { messageStatusSchema } from '#lib/runs/schema.ts';
import { MESSAGE_STATUSES, WITHHELD } from '#lib/messaging/schema/message-statuses.ts';

const DIRECTIONS = ['received', 'sent'] as const;
const TIMELINE_DIRECTIONS = [...DIRECTIONS, 'remembered'] as const;

export const customerSummarySchema = z
  .strictObject({
    id: z.string(),
    numbers: z
      .array(z.string())
      .meta({ description: 'Digits, with the country code. Numbers that were entered for it are last.' }),
    user_ids: z.array(z.string()).meta({ description: 'One for each business portfolio that knows them.' }),
    profile_name: z
      .string()
      .nullable()
      .meta({ description: 'What they call themselves on the platform; null: they have not written.' }),
    last_message: z
      .strictObject({ at: z.string(), direction: z.enum(DIRECTIONS) })
      .nullable()
      .meta({ description: 'Null: none is stored.' }),
    seen_at: z.string().meta({
      description:
        'When the platform last reported anything of them, or something was sent, to the hour: the order of the list.',
    }),
  })
  .meta({ id: 'CustomerSummary' });

export const customerSchema = z
  .strictObject({
    ...customerSummarySchema.shape,
    windows: z
      .array(
        z.strictObject({
          phone_number_id: z.string(),
          phone_number: z.string().meta({ description: 'As it is displayed; its id if it is not known.' }),
          state: z.enum(['open', 'closed']).meta({ description: 'Closed: only templates can be sent.' }),
          last_message_at: z.string(),
          closes_at: z.string(),
        }),
      )
      .meta({ description: 'The 24-hour window with each number of the business that they wrote to.' }),
    attributes: z
      .array(attributeSchema)
      .meta({ description: 'What workflows and members remember of them, by name.' }),
  })
  .meta({ id: 'Customer' });

const runOfMessage = z.strictObject({
  run_id: z.string(),
  workflow_id: z.string(),
  workflow_name: z.string().nullable(),
  version: z.int().nullable().meta({ description: 'Null for a run of the draft.' }),
});

export const timelineMessageSchema = z
  .strictObject({
    id: z.string().meta({
      description: 'Of the platform; of an attribute, or a confirmation that was not sent, its own.',
    }),
    direction: z.enum(TIMELINE_DIRECTIONS).meta({
      description: 'remembered: no message, but a write of an attribute of the customer.',
    }),
    at: z.string().meta({ description: 'When it arrived here, or was sent.' }),
    phone_number_id: z.string().meta({ description: 'Of the business; empty for what was remembered.' }),
    customer: z.string().meta({ description: 'The number or user id that it came from or went to.' }),
    kind: z.string().nullable().meta({
      description:
        'text, template, image, …; null: staff or another app of the account sent it, and only its status is known.',
    }),
    template: z.string().nullable(),
    by_person: z.boolean().meta({
      description: 'A person wrote it: holds do not suppress it.',
    }),
    attribute: z
      .strictObject({
        name: z.string(),
        type: z.enum(ATTRIBUTE_TYPES),
        value: z
          .union([z.string(), z.number(), z.boolean()])
          .nullable()
          .meta({ description: 'Null: it was removed.' }),
        by: z.enum(EVIDENCE_KINDS),
      })
      .nullable()
      .meta({ description: 'What was remembered; null of messages.' }),
    confirms: z.enum(CONSENT_STATES).nullable().meta({
      description:
        'It confirms a stop or consent; null: any other message. One that was not sent has no status, and `problem` says why.',
    }),
    text: z.string().nullable().meta({
      description:
        'What it says, of a message template its parameters; empty: it has no text; null: it is not known, or was removed after its retention.',
    }),
    status: z
      .enum([...MESSAGE_STATUSES, ...WITHHELD])
      .nullable()
      .meta({ description: 'What the platform reported last; null: it was not sent.' }),
    problem: z
      .string()
      .nullable()
      .meta({ description: 'Why it does not arrive, or not yet, and what to do; null: nothing is wrong.' }),
    statuses: z.array(messageStatusSchema).meta({
      description: 'Everything that the platform reported of it, in the order in which they follow.',
    }),
    runs: z.array(runOfMessage).meta({
      description:
        'The run that sent or remembered it, or those that it started or that took it as their answer.',
    }),
    event_ids: z.array(z.string()).meta({
      description: 'The events that it is stored as, or the one that started the run that sent it.',
    }),
  })
  .meta({ id: 'TimelineMessage' });

export const messageSchema = z
  .strictObject({
    ...timelineMessageSchema.shape,
    customer_id: z.string().nullable().meta({ description: 'Null: nothing else is known of the customer.' }),
    task: z
      .strictObject({
        task_id: z.int(),
        name: z.string().nullable(),
        iteration: z.array(z.int()).meta({ description: 'Of the loops around it, outermost first.' }),
      })
      .nullable()
      .meta({ description: 'The task that sent it.' }),
    events: z.array(
      z.strictObject({
        id: z.string(),
        outcome: z.enum(EVENT_OUTCOMES),
        reason: z.string().nullable().meta({ description: 'Why no run started.' }),
        received_at: z.string(),
      }),
    ),
  })
  .meta({ id: 'Message' });

export type CustomerSummary = z.infer<typeof customerSummarySchema>;
export type Customer = z.infer<typeof customerSchema>;
export type TimelineMessage = z.infer<typeof timelineMessageSchema>;
export type Message = z.infer<typeof messageSchema>;
