// Consent and holds for the API and the screens.
import * as z from 'zod';
import { hasNoNul, NUL_IN_TEXT } from '#lib/core/plain-name.ts';
import {
  CONSENT_PURPOSES,
  CONSENT_STATES,
  EVIDENCE_KINDS,
  HOLD_DEADLINES,
  HOLD_SENDS,
} from '#lib/messaging/schema/consent-types.ts';

const MAX_NOTE = 500;

const note = (what: string) =>
  z
    .string()
    .trim()
    .max(MAX_NOTE, `Use at most ${MAX_NOTE} characters.`)
    .refine(hasNoNul, NUL_IN_TEXT)
    .meta({ description: what });

export const evidenceSchema = z
  .strictObject({
    kind: z.enum(EVIDENCE_KINDS).meta({
      description:
        '`message`: the customer wrote one of the words. `preference`: the platform reported it. `platform_error`: the platform refused a message with 131050. `echo`: staff wrote in the phone app. `run`: a task of a workflow. `user`: by hand. `api`: through the API. `import`: through the API, from another system.',
    }),
    message_id: z.string().optional(),
    text: z.string().optional().meta({ description: 'What the customer wrote.' }),
    run_id: z.string().optional(),
    task_id: z.int().optional(),
    actor: z.string().optional().meta({ description: 'The ID of the user or of the API key.' }),
    note: z.string().optional(),
  })
  .meta({ id: 'ConsentEvidence' });

const at = (description: string) => z.iso.datetime().meta({ description });

const currentSchema = z
  .strictObject({
    state: z.enum(CONSENT_STATES),
    since: at('When it was given or stopped.'),
    evidence: evidenceSchema,
  })
  .meta({ id: 'CurrentConsent' });

export const consentSchema = z
  .strictObject({
    customer_id: z
      .string()
      .nullable()
      .meta({ description: 'Null: nothing but this number or user ID is known of the customer.' }),
    names: z.array(z.string()).meta({ description: 'Their number and user IDs.' }),
    marketing: currentSchema
      .nullable()
      .meta({ description: 'Message templates of the category MARKETING; null: nothing is known.' }),
    all: currentSchema.nullable().meta({ description: 'Every message; null: nothing is known.' }),
    kept_stop: z
      .strictObject({
        purpose: z.enum(CONSENT_PURPOSES),
        erased_at: at('When the customer’s data was erased.'),
      })
      .nullable()
      .meta({
        description:
          'A stop from before an erasure. It counts until consent for its purpose is recorded; null: none.',
      }),
    history: z
      .array(
        z
          .strictObject({
            purpose: z.enum(CONSENT_PURPOSES),
            state: z.enum(CONSENT_STATES),
            at: at('When it changed.'),
            evidence: evidenceSchema,
          })
          .meta({ id: 'ConsentChange' }),
      )
      .meta({ description: 'Its changes, newest first, at most 100.' }),
  })
  .meta({ id: 'Consent' });

export const newConsentSchema = z
  .strictObject({
    purpose: z.enum(CONSENT_PURPOSES).meta({
      description:
        '`marketing`: message templates of the category MARKETING. `all`: every message; giving it includes marketing.',
    }),
    state: z.enum(CONSENT_STATES),
    source: z
      .enum(['api', 'import'])
      .default('api')
      .meta({ description: '`import`: it is from another system.' }),
    note: note('Where it comes from, such as a form.').optional(),
  })
  .meta({ id: 'NewConsent' });

const sends = z.enum(HOLD_SENDS).meta({
  description:
    'Messages of workflows during the hold: `suppress` fails their task, `wait` sends them when the hold ends.',
});
const deadlines = z.enum(HOLD_DEADLINES).meta({
  description: 'Of waiting questions: they run on, or stand still.',
});

export const holdSchema = z
  .strictObject({
    customer_id: z.string().nullable().meta({ description: 'As of their consent.' }),
    names: z.array(z.string()).meta({ description: 'Their number and user IDs.' }),
    hold: z
      .strictObject({
        since: at('When it was set.'),
        until: z.iso.datetime().nullable().meta({ description: 'Null: until it is released.' }),
        reason: z.string().meta({ description: 'Empty: none was entered.' }),
        evidence: evidenceSchema,
        sends,
        deadlines,
        waiting_runs: z.int().meta({ description: 'How many runs wait for the end of this hold.' }),
      })
      .nullable()
      .meta({ description: 'Null: workflows send to the customer.' }),
  })
  .meta({ id: 'CustomerHold' });

const MAX_HOURS = 8784;
const HOURS = `Enter a whole number of hours from 1 to ${MAX_HOURS.toLocaleString('en')}.`;
const hours = z.int(HOURS).min(1, HOURS).max(MAX_HOURS, HOURS);

export const newHoldSchema = z
  .strictObject({
    hours: hours
      .nullable()
      .default(null)
      .meta({ description: 'How long it lasts; null: until it is released.' }),
    reason: note('Why, for those who look at the customer.').default(''),
    sends: sends.optional().meta({ description: 'Left out: as the workspace’s settings say.' }),
    deadlines: deadlines.optional().meta({ description: 'The same.' }),
  })
  .meta({ id: 'NewCustomerHold' });

const MAX_WORDS = 100;
const MAX_WORD = 40;

const words = (description: string) =>
  z
    .array(
      z
        .string()
        .trim()
        .min(1, 'Enter a word.')
        .max(MAX_WORD, `Use at most ${MAX_WORD} characters for a word.`)
        .refine(hasNoNul, NUL_IN_TEXT),
    )
    .max(MAX_WORDS, `Enter at most ${MAX_WORDS} words.`)
    .meta({ description });

const MAX_CONFIRMATION = 1000;

const confirmation = (what: string) =>
  z
    .string()
    .trim()
    .max(MAX_CONFIRMATION, `Use at most ${MAX_CONFIRMATION.toLocaleString('en')} characters.`)
    .refine(hasNoNul, NUL_IN_TEXT)
    .meta({ description: `Answers ${what}; empty: no answer.` });

const MAX_LIMIT = 1000;
/** As long as marketing messages are counted. */
export const MAX_LIMIT_DAYS = 365;
const LIMIT = `Enter a whole number of messages from 1 to ${MAX_LIMIT.toLocaleString('en')}.`;
const LIMIT_DAYS = `Enter a whole number of days from 1 to ${MAX_LIMIT_DAYS}.`;

const marketingLimit = z
  .strictObject({
    messages: z.int(LIMIT).min(1, LIMIT).max(MAX_LIMIT, LIMIT),
    days: z.int(LIMIT_DAYS).min(1, LIMIT_DAYS).max(MAX_LIMIT_DAYS, LIMIT_DAYS),
  })
  .nullable()
  .meta({
    description: 'Marketing templates that a customer gets at most in these days; null: any number.',
  });

export const consentSettingsSchema = z
  .strictObject({
    stop_words: words('Whole messages of customers that stop; case does not matter.'),
    resume_words: words('The same, to give consent again.'),
    purpose: z.enum(CONSENT_PURPOSES).meta({ description: 'What they stop and give.' }),
    holds_on_echoes: z.boolean().meta({
      description: 'Messages of staff in the phone app put the customer on hold.',
    }),
    echo_hold_hours: hours.meta({ description: 'How long after the last one.' }),
    hold_sends: sends,
    hold_deadlines: deadlines,
    stop_confirmation: confirmation('a stop'),
    resume_confirmation: confirmation('consent given again'),
    marketing_limit: marketingLimit,
  })
  .meta({ id: 'ConsentSettings' });

/** Earlier clients leave out newer fields. */
export const newConsentSettingsSchema = consentSettingsSchema
  .extend({
    hold_sends: sends.default('suppress'),
    hold_deadlines: deadlines.default('run'),
    stop_confirmation: confirmation('a stop').default(''),
    resume_confirmation: confirmation('consent given again').default(''),
    marketing_limit: marketingLimit.default(null),
  })
  .meta({ id: 'NewConsentSettings' });

export type Consent = z.infer<typeof consentSchema>;
export type NewConsent = z.output<typeof newConsentSchema>;
export type CustomerHold = z.infer<typeof holdSchema>;
export type NewHold = z.output<typeof newHoldSchema>;
export type ConsentSettings = z.infer<typeof consentSettingsSchema>;
