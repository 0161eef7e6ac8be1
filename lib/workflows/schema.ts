// The shape of workflows in the API (docs/api.md). An export can be imported: fields that only exist in responses are
// ignored.
import * as z from 'zod';
import { CONTROLS_IN_NAME, hasNoNul, isPlainName, NUL_IN_TEXT } from '#lib/core/plain-name.ts';

const MAX_TAGS = 10;
const MAX_TAG_CHARACTERS = 40;

/** The tags of a workflow: short words, unique regardless of case; the first spelling wins. */
export const tagsSchema = z
  .array(
    z
      .string()
      .trim()
      .min(1, 'Enter a tag.')
      .max(MAX_TAG_CHARACTERS, `At most ${MAX_TAG_CHARACTERS} characters.`)
      .refine((tag) => !tag.includes(','), 'A tag has no comma.')
      .refine(isPlainName, CONTROLS_IN_NAME),
  )
  .max(MAX_TAGS, `At most ${MAX_TAGS} tags.`)
  .transform((tags) =>
    [...new Map([...tags].reverse().map((tag) => [tag.toLocaleLowerCase('en'), tag])).values()].reverse(),
  );

const MAX_TASKS = 500;
const MAX_EDGES = 5000;
const MAX_NOTES = 200;
export const MAX_NAME_CHARACTERS = 200;
/** The largest task id whose successor fits into the database's integer. */
const MAX_TASK_ID = 2_147_483_646;

const shortText = z.string().trim().min(1).max(MAX_NAME_CHARACTERS).refine(isPlainName, CONTROLS_IN_NAME);
const position = z.strictObject({ x: z.number(), y: z.number() });
const taskId = z.int().min(1).max(MAX_TASK_ID);

const settings = z
  .record(z.string(), z.unknown())
  .superRefine((value, context) => {
    for (const path of findNul(value, [])) context.addIssue({ code: 'custom', path, message: NUL_IN_TEXT });
  })
  .meta({
    description:
      "Settings of the task's type. A draft may be incomplete; missing values get their defaults on publish. Secrets, such as the values of headers with credentials, are stored encrypted; answers have a placeholder for each, `••••••(<id>)`.",
  });

const taskSchema = z
  .strictObject({
    id: taskId.meta({ description: 'Unique in the workflow, and never used again for another task.' }),
    type: z.string().min(1).max(100),
    name: shortText.optional().meta({ description: "Defaults to the type's name." }),
    settings: settings.default({}),
    on_failure: z.enum(['stop', 'continue', 'branch']).optional().meta({
      description:
        'What happens when the task has failed: the run fails, the run continues, or the "failed" branch is taken.',
    }),
    if_interrupted: z.enum(['flag', 'retry']).optional().meta({
      description: 'What happens to a side effect that was in progress when the process stopped.',
    }),
    max_attempts: z
      .int()
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'Total number of tries when the error can be retried.' }),
    disabled: z
      .boolean()
      .optional()
      .meta({ description: 'Skipped: its children run as if it had succeeded without output.' }),
    position: position.optional(),
  })
  .meta({ id: 'Task' });

const edgeSchema = z
  .strictObject({
    from: taskId,
    to: taskId,
    branch: z
      .string()
      .max(100)
      .optional()
      .meta({ description: 'The branch, if the parent has several: true/false, each/done, failed.' }),
  })
  .meta({ id: 'Edge' });

const noteSchema = z
  .strictObject({
    id: z.string().min(1).max(100).refine(hasNoNul, NUL_IN_TEXT),
    text: z.string().max(5000).refine(hasNoNul, NUL_IN_TEXT),
    position,
  })
  .meta({ id: 'Note' });

const ignored = z
  .unknown()
  .optional()
  .meta({ description: 'Ignored, so that answers can be sent back unchanged.' });

const drawing = {
  name: shortText,
  tasks: z.array(taskSchema).max(MAX_TASKS),
  edges: z.array(edgeSchema).max(MAX_EDGES).default([]),
  notes: z.array(noteSchema).max(MAX_NOTES).optional(),
};
const ofAnswers = {
  id: ignored,
  tags: ignored,
  published_version: ignored,
  active: ignored,
  holds_runs: ignored,
  max_concurrent_runs: ignored,
  next_start_at: ignored,
  webhook: ignored,
  next_task_id: ignored,
  created_at: ignored,
  updated_at: ignored,
  warnings: ignored,
};

export const newWorkflowSchema = z
  .strictObject({
    ...drawing,
    ...ofAnswers,
    draft_revision: ignored,
    publish: z.boolean().optional().meta({
      description: 'Publish immediately. If it cannot be published, nothing is created.',
    }),
  })
  .meta({ id: 'NewWorkflow' });

export const draftSchema = z
  .strictObject({
    ...drawing,
    ...ofAnswers,
    draft_revision: z.int().min(1).optional().meta({
      description: 'The revision that was edited. If the draft has changed since, nothing is written (409).',
    }),
  })
  .meta({ id: 'WorkflowDraft' });

export const limitRunsSchema = z.strictObject({
  max_concurrent_runs: z
    .int('Enter a whole number.')
    .min(1, 'At least 1.')
    .max(1000, 'At most 1,000.')
    .nullable()
    .meta({
      description:
        'How many runs are executed at once by all workers; the others wait in the order of their arrival. A run that waits, for an answer or a delay, counts. Null: no limit.',
    }),
});

export type RunLimit = z.output<typeof limitRunsSchema>;

export const pauseSchema = z.strictObject({
  hold: z.boolean().default(false).meta({
    description:
      'false: webhooks are refused with 409, and their events can be replayed. true: webhooks are answered as always, and their runs wait until the workflow is resumed; then they begin in the order of their arrival.',
  }),
});

export const rotateTokenSchema = z.strictObject({
  keep_old_for_seconds: z.int().min(0).max(31_536_000).default(86_400).meta({
    description:
      'How long the old URLs keep working; 0: they stop immediately, including those of earlier rotations.',
  }),
});

const savedDrawing = {
  ...drawing,
  tasks: z.array(taskSchema.required({ name: true, settings: true }).meta({ id: 'SavedTask' })),
  edges: z.array(edgeSchema),
};

export const exportedWorkflowSchema = z.strictObject(savedDrawing).meta({ id: 'ExportedWorkflow' });

export const workflowSchema = z
  .strictObject({
    id: z.string(),
    ...savedDrawing,
    tags: z.array(z.string()).meta({ description: 'What people sort workflows by; set by `setTags`.' }),
    published_version: z.int().nullable().meta({ description: 'Null while it is not published.' }),
    active: z
      .boolean()
      .meta({ description: 'False while it is paused, and before it was published the first time.' }),
    holds_runs: z.boolean().meta({
      description: 'True while it is paused and its webhooks start runs that begin when it is resumed.',
    }),
    max_concurrent_runs: z.int().nullable().meta({
      description: 'How many of its runs are executed at once; null: no limit. Set by `limitRuns`.',
    }),
    next_start_at: z.iso.datetime().nullable().meta({
      description: 'When its schedule starts it next; null while none does.',
    }),
    webhook: z.strictObject({ token: z.string(), production_url: z.string(), test_url: z.string() }),
    draft_revision: z.int(),
    next_task_id: z.int().meta({ description: 'The lowest id for a new task.' }),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Workflow' });

export const publishedWorkflowSchema = workflowSchema
  .extend({
    warnings: z.array(z.string()).meta({
      description:
        'What keeps the published workflow from starting, such as messages that the platform does not send yet.',
    }),
  })
  .meta({ id: 'PublishedWorkflow' });

export type NewWorkflow = z.output<typeof newWorkflowSchema>;
export type WorkflowDraft = z.output<typeof draftSchema>;
export type ExportedWorkflow = z.infer<typeof exportedWorkflowSchema>;
export type Workflow = z.infer<typeof workflowSchema>;
export type PublishedWorkflow = z.infer<typeof publishedWorkflowSchema>;

/** Paths of all strings and keys with U+0000, which PostgreSQL's text cannot hold. */
function findNul(value: unknown, path: (string | number)[]): (string | number)[][] {
  if (typeof value === 'string') return value.includes('\0') ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => findNul(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [
    ...(key.includes('\0') ? [path] : []),
    ...findNul(item, [...path, key]),
  ]);
}
