import * as z from 'zod';
import { RUN_STATUSES } from '#lib/engine/run-types.ts';
import { cancelRun } from '#lib/runs/cancel-run.ts';
import { getRun } from '#lib/runs/get-run.ts';
import { listRuns } from '#lib/runs/list-runs.ts';
import { resolveTaskRun } from '#lib/runs/resolve-task-run.ts';
import { retryRun } from '#lib/runs/retry-run.ts';
import { resolveTaskRunSchema, retryRunSchema, runSchema, runSummarySchema } from '#lib/runs/schema.ts';
import { idFilter } from '../id-schema.ts';
import { defineOperation } from '../operation.ts';
import { pageOf, pageQuerySchema } from '../page-schema.ts';

const tag = 'Runs';

/** A task id in a path; 0, which no task has, for what is none. */
const toTaskId = (text: string): number => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0);

export const RUN_OPERATIONS = [
  defineOperation({
    method: 'GET',
    path: '/runs',
    id: 'listRuns',
    tag,
    summary: 'List runs, newest first, without their tasks.',
    query: pageQuerySchema.extend({
      workflow_id: idFilter.optional(),
      status: z.enum(RUN_STATUSES).optional(),
    }),
    response: pageOf(runSummarySchema),
    handle: (ctx, { query }) => listRuns(ctx, query),
  }),
  defineOperation({
    method: 'GET',
    path: '/runs/{id}',
    id: 'getRun',
    tag,
    summary: 'Get a run with its task runs.',
    query: z.strictObject({
      tasks_offset: z.coerce
        .number()
        .int()
        .min(0)
        .max(1_000_000)
        .default(0)
        .meta({ description: 'Where the page of tasks starts.' }),
    }),
    response: runSchema,
    handle: (ctx, { params, query }) => getRun(ctx, { ...query, id: params.id }),
  }),
  defineOperation({
    method: 'POST',
    path: '/runs/{id}/retry',
    id: 'retryRun',
    tag,
    summary:
      'Resume a failed or cancelled run from the task that failed, or start a new run for the same event.',
    body: retryRunSchema,
    isBodyOptional: true,
    response: runSchema,
    errors: ['conflict', 'workflow_not_active'],
    handle: (ctx, { params, body }) => retryRun(ctx, { ...body, id: params.id }),
  }),
  defineOperation({
    method: 'POST',
    path: '/runs/{id}/cancel',
    id: 'cancelRun',
    tag,
    summary: 'Cancel a run that has not ended.',
    response: runSchema,
    errors: ['conflict'],
    handle: (ctx, { params }) => cancelRun(ctx, params),
  }),
  defineOperation({
    method: 'POST',
    path: '/runs/{id}/tasks/{task_id}/resolve',
    id: 'resolveTaskRun',
    tag,
    summary: 'Resolve a task whose outcome is unknown, and resume the run.',
    body: resolveTaskRunSchema,
    response: runSchema,
    errors: ['conflict'],
    handle: (ctx, { params, body }) =>
      resolveTaskRun(ctx, { ...body, id: params.id, task_id: toTaskId(params.task_id) }),
  }),
];
