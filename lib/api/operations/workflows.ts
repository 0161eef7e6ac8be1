import * as z from 'zod';
import {
  activateWorkflow,
  deleteWorkflow,
  limitRuns,
  pauseWorkflow,
  rotateToken,
  tagWorkflow,
  unpublishWorkflow,
} from '#lib/workflows/lifecycle.ts';
import { createWorkflow, exportWorkflow } from '#lib/workflows/create-workflow.ts';
import { getWorkflow, listWorkflows } from '#lib/workflows/load-workflow.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { runSchema } from '#lib/runs/schema.ts';
import { runDraft } from '#lib/workflows/draft-runs/run-draft.ts';
import { runDraftSchema } from '#lib/workflows/draft-runs/schema.ts';
import { publishWorkflow } from '#lib/workflows/publish-workflow.ts';
import { replaceDraft } from '#lib/workflows/save-draft.ts';
import { startedSchema, startNow } from '#lib/workflows/schedules/start-now.ts';
import { restoreWorkflow } from '#lib/workflows/versions.ts';
import {
  draftSchema,
  exportedWorkflowSchema,
  limitRunsSchema,
  newWorkflowSchema,
  pauseSchema,
  publishedWorkflowSchema,
  rotateTokenSchema,
  tagsSchema,
  workflowSchema,
} from '#lib/workflows/schema.ts';
import { listTrash, purgeWorkflow } from '#lib/workflows/trash/trash.ts';
import { trashedWorkflowSchema } from '#lib/workflows/trash/schema.ts';
import { checkDraft, listVariables } from '#lib/api/check-draft.ts';
import {
  draftCheckSchema,
  idFilter,
  pageOf,
  pageQuerySchema,
  toTaskId,
  variablesSchema,
} from '#lib/api/schemas.ts';
import { maskRows, maskVariables, maskWorkflow } from '../mask-for-viewers.ts';
import { defineOperation } from '../operation.ts';

const tag = 'Workflows';

export const WORKFLOW_OPERATIONS = [
  defineOperation({
    method: 'GET',
    path: '/workflows',
    id: 'listWorkflows',
    tag,
    scope: 'read',
    summary: 'List workflows, newest first.',
    query: pageQuerySchema,
    response: pageOf(workflowSchema),
    maskForViewers: maskRows(maskWorkflow),
    handle: (ctx, { query }) => listWorkflows(ctx, query),
  }),
  defineOperation({
    method: 'POST',
    path: '/workflows',
    id: 'createWorkflow',
    tag,
    scope: 'edit',
    summary: 'Create a workflow, or import an exported one. It is published only if `publish` is true.',
    body: newWorkflowSchema,
    status: 201,
    response: publishedWorkflowSchema,
    errors: ['invalid_workflow'],
    handle: (ctx, { body }) => createWorkflow(ctx, body),
  }),
  defineOperation({
    method: 'GET',
    path: '/workflows/{id}',
    id: 'getWorkflow',
    tag,
    scope: 'read',
    summary:
      'Get a workflow with its draft. Secrets are masked; sent back as they are, the stored ones stay.',
    response: workflowSchema,
    maskForViewers: maskWorkflow,
    handle: (ctx, { params }) => getWorkflow(ctx, params),
  }),
  defineOperation({
    method: 'GET',
    path: '/workflows/{id}/export',
    id: 'exportWorkflow',
    tag,
    scope: 'read',
    summary: 'Export a workflow: its draft without its id, URLs and secrets, as createWorkflow imports it.',
    response: exportedWorkflowSchema,
    handle: (ctx, { params }) => exportWorkflow(ctx, params),
  }),
  defineOperation({
    method: 'PUT',
    path: '/workflows/{id}',
    id: 'replaceDraft',
    tag,
    scope: 'edit',
    summary: 'Replace name and draft. The published version stays in effect until the draft is published.',
    body: draftSchema,
    response: workflowSchema,
    errors: ['invalid_workflow', 'conflict'],
    handle: (ctx, { params, body }) => replaceDraft(ctx, { ...body, id: params.id }),
  }),
  defineOperation({
    method: 'DELETE',
    path: '/workflows/{id}',
    id: 'deleteWorkflow',
    tag,
    scope: 'edit',
    summary:
      'Move a workflow to the trash, where it can be restored for 30 days. Its URLs stop working immediately; its events and runs stay.',
    query: z.strictObject({
      cancel_runs: z
        .stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' })
        .optional()
        .meta({
          description: 'Whether its runs in progress are cancelled. Default: they continue.',
        }),
    }),
    status: 204,
    handle: (ctx, { params, query }) => deleteWorkflow(ctx, { ...query, id: params.id }),
  }),
  defineOperation({
    method: 'POST',
    path: '/workflows/{id}/restore',
    id: 'restoreWorkflow',
    tag,
    scope: 'edit',
    summary:
      'Restore a workflow from the trash, with its URLs and subscriptions. It stays paused unless `activate` is true.',
    body: z.strictObject({
      activate: z.boolean().default(false).meta({ description: 'Activate it, if it is published.' }),
    }),
    isBodyOptional: true,
    response: workflowSchema,
    handle: (ctx, { params, body }) => restoreWorkflow(ctx, { ...body, id: params.id }),
  }),
  defineOperation({
    method: 'GET',
    path: '/trash',
    id: 'listTrash',
    tag,
    scope: 'read',
    summary: 'List deleted workflows that can be restored.',
    query: pageQuerySchema,
    response: pageOf(trashedWorkflowSchema),
    handle: (ctx, { query }) => listTrash(ctx, query),
  }),
  defineOperation({
    method: 'DELETE',
    path: '/trash/{id}',
    id: 'purgeWorkflow',
    tag,
    scope: 'edit',
    // It cannot be undone, so that a person has to decide.
    isTool: false,
    summary:
      'Delete a workflow of the trash permanently. Its runs in progress are cancelled; its events and runs stay, with its name.',
    status: 204,
    handle: (ctx, { params }) => purgeWorkflow(ctx, params),
  }),
  defineOperation({
    method: 'GET',
    path: '/workflows/{id}/problems',
    id: 'checkDraft',
    tag,
    scope: 'read',
    summary: 'Check the draft: what keeps it from being published, and which variables would be empty.',
    response: draftCheckSchema,
    handle: (ctx, { params }) => checkDraft(ctx, params),
  }),
  defineOperation({
    method: 'GET',
    path: '/workflows/{id}/tasks/{task_id}/variables',
    id: 'listVariables',
    tag,
    scope: 'read',
    summary: 'List the variables that a task of the draft can use, with their values in a sample event.',
    query: z.strictObject({
      event_id: idFilter.optional().meta({ description: 'Default: the newest event that can be a sample.' }),
    }),
    response: variablesSchema,
    maskForViewers: maskVariables,
    handle: (ctx, { params, query }) =>
      listVariables(ctx, { id: params.id, taskId: toTaskId(params.task_id), eventId: query.event_id }),
  }),
  defineOperation({
    method: 'POST',
    path: '/workflows/{id}/publish',
    id: 'publishWorkflow',
    tag,
    scope: 'edit',
    summary:
      'Publish the draft as a new version; without changes the latest version is published. The first time this activates the workflow.',
    response: publishedWorkflowSchema,
    errors: ['invalid_workflow'],
    handle: (ctx, { params }) => publishWorkflow(ctx, params),
  }),
  defineOperation({
    method: 'POST',
    path: '/workflows/{id}/run-draft',
    id: 'runDraft',
    tag,
    scope: 'run',
    summary:
      'Run the draft without publishing it. Messages and requests that change something are not sent unless you allow it.',
    body: runDraftSchema,
    exactFields: ['body'],
    status: 201,
    response: runSchema,
    errors: ['invalid_workflow', 'conflict'],
    handle: (ctx, { params, body: { body, ...input } }) =>
      runDraft(ctx, {
        ...input,
        id: params.id,
        sample_text: body && stringifyJson(body as JsonObject),
      }),
  }),
  defineOperation({
    method: 'POST',
    path: '/workflows/{id}/unpublish',
    id: 'unpublishWorkflow',
    tag,
    scope: 'edit',
    summary: 'Unpublish a workflow. Runs in progress continue.',
    response: workflowSchema,
    handle: (ctx, { params }) => unpublishWorkflow(ctx, params),
  }),
  defineOperation({
    method: 'POST',
    path: '/workflows/{id}/activate',
    id: 'activateWorkflow',
    tag,
    scope: 'edit',
    summary: 'Resume a paused workflow.',
    response: workflowSchema,
    errors: ['conflict'],
    handle: (ctx, { params }) => activateWorkflow(ctx, params),
  }),
  defineOperation({
    method: 'POST',
    path: '/workflows/{id}/pause',
    id: 'pauseWorkflow',
    tag,
    scope: 'edit',
    summary:
      'Pause a workflow: no new runs start. Events are saved and can be replayed, or with `hold` their runs wait until it is resumed; runs in progress continue.',
    body: pauseSchema,
    isBodyOptional: true,
    response: workflowSchema,
    errors: ['conflict'],
    handle: (ctx, { params, body }) => pauseWorkflow(ctx, { ...body, id: params.id }),
  }),
  defineOperation({
    method: 'POST',
    path: '/workflows/{id}/start',
    id: 'startWorkflow',
    tag,
    scope: 'edit',
    summary: 'Start a workflow with a schedule now, as at one of its times; its next start stays.',
    response: startedSchema,
    errors: ['conflict'],
    handle: (ctx, { params }) => startNow(ctx, params),
  }),
  defineOperation({
    method: 'PUT',
    path: '/workflows/{id}/run-limit',
    id: 'limitRuns',
    tag,
    scope: 'edit',
    summary: 'Set how many runs of a workflow are executed at once.',
    body: limitRunsSchema,
    response: workflowSchema,
    handle: (ctx, { params, body }) => limitRuns(ctx, { ...body, id: params.id }),
  }),
  defineOperation({
    method: 'PUT',
    path: '/workflows/{id}/tags',
    id: 'setTags',
    tag,
    scope: 'edit',
    summary: 'Replace the tags of a workflow.',
    body: z.strictObject({ tags: tagsSchema }),
    response: workflowSchema,
    handle: (ctx, { params, body }) => tagWorkflow(ctx, { ...body, id: params.id }),
  }),
  defineOperation({
    method: 'POST',
    path: '/workflows/{id}/rotate-token',
    id: 'rotateToken',
    tag,
    scope: 'edit',
    isTool: false,
    summary: 'Rotate the URLs of a workflow.',
    body: rotateTokenSchema,
    isBodyOptional: true,
    response: workflowSchema,
    handle: (ctx, { params, body }) => rotateToken(ctx, { ...body, id: params.id }),
  }),
];
