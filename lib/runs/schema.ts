import * as z from 'zod';
import { MESSAGE_STATUSES, WITHHELD } from '#lib/messaging/schema/message-statuses.ts';
import { RUN_STATUSES } from '#lib/engine/run-types.ts';

const TASK_RUN_STATUSES = [
  'running',
  'waiting',
  'succeeded',
  'failed',
  'outcome_unknown',
  'skipped',
  'cancelled',
] as const;

/** What is known of the delivery of a run's messages; nothing is known of most. */
export const RUN_DELIVERIES = ['undelivered'] as const;
export type RunDelivery = (typeof RUN_DELIVERIES)[number];

const instant = z.string().nullable();

const errorSchema = z
  .strictObject({
    code: z.string(),
    message: z.string(),
    task_id: z.int().optional(),
    details: z.unknown().optional(),
  })
  .meta({ id: 'RunError' });

const runCustomerSchema = z
  .strictObject({
    id: z.string(),
    numbers: z.array(z.string()).meta({ description: 'Digits, with the country code.' }),
    user_ids: z.array(z.string()),
    profile_name: z.string().nullable().meta({ description: 'What they call themselves on the platform.' }),
  })
  .meta({ id: 'RunCustomer' });

const iterationSchema = z
  .array(z.int())
  .meta({ description: 'Zero-based indexes of the loops around it, outermost first.' });

const calledBySchema = z
  .strictObject({
    run_id: z.string().meta({ description: 'It may have been removed since.' }),
    task_id: z.int(),
    iteration: iterationSchema,
  })
  .meta({ id: 'RunCaller' });

const runCallSchema = z
  .strictObject({
    task_id: z.int(),
    iteration: iterationSchema,
    run_id: z.string(),
    workflow_id: z.string(),
    status: z.enum(RUN_STATUSES),
  })
  .meta({ id: 'RunCall' });

export const runSummarySchema = z
  .strictObject({
    id: z.string(),
    workflow_id: z.string(),
    version: z.int().nullable().meta({ description: 'Null for a run of the draft.' }),
    draft_revision: z.int().nullable().meta({
      description:
        'Set for a run of the draft, which no count and no alert includes: the revision of the draft that it executes. 0: a run of a draft called this one, which executes the published version and captures what it would send.',
    }),
    event_id: z.string(),
    status: z.enum(RUN_STATUSES),
    delivery: z.enum(RUN_DELIVERIES).nullable().meta({
      description:
        'undelivered: the platform reported that at least one message of the run failed, whatever the status of the run; null: no such report.',
    }),
    created_at: z.string(),
    started_at: instant,
    finished_at: instant,
    resume_at: instant.meta({ description: 'When a waiting run resumes.' }),
    contents_removed_at: instant.meta({
      description: 'When the outputs of its tasks were removed after their retention; null: they were not.',
    }),
    error: errorSchema.nullable(),
    retry_of: z.string().nullable().meta({ description: 'The run that was started again.' }),
    waits_for_run: z.string().nullable().meta({
      description:
        'Of a queued run whose trigger has order_by: the run with the same value that is executed now; null: it waits for none.',
    }),
    waits_for_runs: z.int().nullable().meta({
      description:
        'Of a queued run that waits for its workflow, which has max_concurrent_runs or holds runs while it is paused: the number of runs before it, up to 1,000; null: it does not.',
    }),
    waits_for_quiet_until: instant.meta({
      description:
        'Of a queued run whose trigger has quiet_seconds: when it begins, unless another webhook of its burst arrives before; null: it does not wait for quiet.',
    }),
    called_by: calledBySchema.nullable().meta({
      description: 'The task of another run that called the workflow; null: none did.',
    }),
    awaited: z.boolean().meta({ description: 'Whether the caller waited for the result.' }),
    customer: runCustomerSchema.nullable().meta({
      description:
        'Whose message started or continued the run, else the only one whom it sent something; null: none, or several.',
    }),
  })
  .meta({ id: 'RunSummary' });

export const taskRunSchema = z
  .strictObject({
    task_id: z.int(),
    type: z.string().nullable(),
    name: z.string().nullable(),
    iteration: iterationSchema,
    status: z.enum(TASK_RUN_STATUSES),
    run: z.boolean().nullable().meta({
      description: 'Whether the task succeeded; null while it has not ended and when it was skipped.',
    }),
    run_text: z.string().nullable(),
    branch: z.string().nullable().meta({ description: 'The branch it took, if it has several.' }),
    captured: z.array(z.unknown()).meta({ description: 'In a run of the draft: what would have been sent.' }),
    output: z
      .unknown()
      .meta({ description: 'Under its own field names; of the trigger the body of the event.' }),
    error: errorSchema.nullable(),
    attempt: z.int(),
    attempts: z.array(
      z.strictObject({
        attempt: z.int(),
        started_at: z.string(),
        finished_at: z.string(),
        error: errorSchema,
      }),
    ),
    started_at: instant,
    finished_at: instant,
    resume_at: instant,
  })
  .meta({ id: 'TaskRun' });

export const messageStatusSchema = z
  .strictObject({
    status: z.enum([...MESSAGE_STATUSES, ...WITHHELD]),
    at: z.string().meta({ description: 'By the clock of the platform, to the second.' }),
    errors: z
      .array(
        z.strictObject({
          code: z.number(),
          title: z.string().optional(),
          message: z.string().optional(),
          error_data: z.unknown().optional(),
        }),
      )
      .meta({ description: 'As the platform reported them; empty: none.' }),
    pricing: z
      .strictObject({ category: z.string(), type: z.string() })
      .nullable()
      .meta({ description: 'Category and type of the price; null: not reported.' }),
  })
  .meta({ id: 'MessageStatus' });

export const runMessageSchema = z
  .strictObject({
    id: z.string(),
    task_id: z.int().nullable(),
    iteration: z.array(z.int()).meta({ description: 'Of the task run that sent it.' }),
    recipient: z.string(),
    template: z.string().nullable(),
    status: z.enum([...MESSAGE_STATUSES, ...WITHHELD]).meta({
      description:
        'What the platform reported last. accepted: nothing since it accepted the message. held_for_quality_assessment or paused: it accepted the message and does not send it at once.',
    }),
    status_at: z.string(),
    problem: z
      .string()
      .nullable()
      .meta({ description: 'Why it does not arrive, or not yet, and what to do; null: nothing is wrong.' }),
    statuses: z
      .array(messageStatusSchema)
      .meta({ description: 'Everything that the platform reported of it, in the order of time.' }),
  })
  .meta({ id: 'RunMessage' });

export const runSchema = z
  .strictObject({
    ...runSummarySchema.shape,
    tasks: z.array(taskRunSchema).meta({ description: 'In the order they started.' }),
    messages: z
      .array(runMessageSchema)
      .meta({ description: 'What its tasks sent, oldest first, with the outcome so far.' }),
    burst_event_ids: z.array(z.string()).meta({
      description:
        'Of a run whose trigger has quiet_seconds: the events of its webhooks, in the order of their arrival. The last one is the event of the run once it has begun. Empty: it has no burst.',
    }),
    calls: z
      .array(runCallSchema)
      .meta({ description: 'The runs that its tasks called, in the order of the calls, at most 1,000.' }),
    tasks_next_offset: z
      .int()
      .nullable()
      .meta({ description: 'The cursor of the next page of tasks; null on the last page.' }),
  })
  .meta({ id: 'Run' });

export const retryRunSchema = z.strictObject({
  from: z.enum(['failed_task', 'start']).default('failed_task').meta({
    description:
      'failed_task: the same run resumes where it failed. start: a new run of the published version for the same event.',
  }),
});

export const resolveTaskRunSchema = z.strictObject({
  as: z
    .enum(['done', 'resend'])
    .meta({ description: 'done: it was carried out; the run resumes. resend: the task runs again.' }),
  iteration: z.array(z.int().min(0)).max(20).default([]),
});

export type RunCustomer = z.infer<typeof runCustomerSchema>;
export type RunMessage = z.infer<typeof runMessageSchema>;
export type RunSummary = z.infer<typeof runSummarySchema>;
export type Run = z.infer<typeof runSchema>;
export type TaskRunView = z.infer<typeof taskRunSchema>;
export type RetryRunInput = z.output<typeof retryRunSchema>;
export type ResolveTaskRunInput = z.output<typeof resolveTaskRunSchema>;
