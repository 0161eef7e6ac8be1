import * as z from 'zod';

/** The side effects that a run of a draft lets through; all others are captured and shown. */
const effects = {
  send_to: z.string().trim().min(1).max(40).nullable().default(null).meta({
    description:
      'Send messages for real, all of them to this number, which is your own. Null: no message is sent.',
  }),
  call_services: z.boolean().default(false).meta({
    description: 'Send HTTP requests that change something (POST, PUT, PATCH, DELETE) for real.',
  }),
};

const from = z
  .strictObject({ run_id: z.string(), task_id: z.int().min(1) })
  .optional()
  .meta({
    description:
      'Start at this task. The outputs of the tasks before it are those of an earlier run of the workflow.',
  });

export const runDraftSchema = z
  .strictObject({
    draft_revision: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'The revision to run. If the draft has changed since, nothing runs (409).' }),
    event_id: z
      .string()
      .optional()
      .meta({ description: 'An event of the workflow to run with. With from, default: its event.' }),
    body: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'A sample to run with instead of an event. It is saved as a test event.' }),
    from,
    ...effects,
  })
  .meta({ id: 'DraftRun' });

/** The same with a sample as JSON text. */
export const typedDraftRunSchema = runDraftSchema.omit({ body: true }).extend({
  id: z.string(),
  sample_text: z.string().max(1_000_000).optional(),
});

export type DraftRunInput = z.output<typeof typedDraftRunSchema>;
