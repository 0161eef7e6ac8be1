import * as z from 'zod';
import { activateWorkflow } from '#lib/workflows/activate-workflow.ts';
import { createWorkflow } from '#lib/workflows/create-workflow.ts';
import { deleteWorkflow } from '#lib/workflows/delete-workflow.ts';
import { exportWorkflow } from '#lib/workflows/export-workflow.ts';
import { getWorkflow } from '#lib/workflows/get-workflow.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { runSchema } from '#lib/runs/schema.ts';
import { runDraft } from '#lib/workflows/draft-runs/run-draft.ts';
import { runDraftSchema } from '#lib/workflows/draft-runs/schema.ts';
import { listWorkflows } from '#lib/workflows/list-workflows.ts';
import { pauseWorkflow } from '#lib/workflows/pause-workflow.ts';
import { publishWorkflow } from '#lib/workflows/publish-workflow.ts';
import { replaceDraft } from '#lib/workflows/replace-draft.ts';
import { restoreWorkflow } from '#lib/workflows/restore-workflow.ts';
import { rotateToken } from '#lib/workflows/rotate-token.ts';
import {
  draftSchema,
  exportedWorkflowSchema,
  newWorkflowSchema,
  rotateTokenSchema,
  workflowSchema,
} from '#lib/workflows/schema.ts';
import { tagsSchema } from '#lib/workflows/tag-schema.ts';
import { tagWorkflow } from '#lib/workflows/tag-workflow.ts';
import { unpublishWorkflow } from '#lib/workflows/unpublish-workflow.ts';
import { defineOperation } from '../operation.ts';
import { pageOf, pageQuerySchema } from '../page-schema.ts';

const tag = 'Workflows';

export const WORKFLOW_OPERATIONS = [
  defineOperation({
    method: 'GET',
    path: '/workflows',
    id: 'listWorkflows',
    tag,
    summary: 'List workflows, newest first.',
    query: pageQuerySchema,
    response: pageOf(workflowSchema),
    handle: (ctx, { query }) => listWorkflows(ctx, query),
  }),
  defineOperation({
    method: 'POST',
    path: '/workflows',
    id: 'createWorkflow',
    tag,
    summary: 'Create a workflow, or import an exported one. It is published only if `publish` is true.',
    body: newWorkflowSchema,
    status: 201,
    response: workflowSchema,
    errors: ['invalid_workflow'],
    handle: (ctx, { body }) => createWorkflow(ctx, body),
  }),
  defineOperation({
    method: 'GET',
    path: '/workflows/{id}',
    id: 'getWorkflow',
    tag,
    summary:
      'Get a workflow with its draft. Secrets are masked; sent back as they are, the stored ones stay.',
    response: workflowSchema,
    handle: (ctx, { params }) => getWorkflow(ctx, params),
  }),
  defineOperation({
    method: 'GET',
    path: '/workflows/{id}/export',
    id: 'exportWorkflow',
    tag,
    summary: 'Export a workflow: its draft without its id, URLs and secrets, as createWorkflow imports it.',
    response: exportedWorkflowSchema,
    handle: (ctx, { params }) => exportWorkflow(ctx, params),
  }),
  defineOperation({
    method: 'PUT',
    path: '/workflows/{id}',
    id: 'replaceDraft',
    tag,
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
    summary: 'Delete a workflow. Its URLs stop working immediately; its events and runs stay.',
    status: 204,
    handle: (ctx, { params }) => deleteWorkflow(ctx, params),
  }),
  defineOperation({
    method: 'POST',
    path: '/workflows/{id}/restore',
    id: 'restoreWorkflow',
    tag,
    summary: 'Restore a deleted workflow.',
    response: workflowSchema,
    handle: (ctx, { params }) => restoreWorkflow(ctx, params),
  }),
  defineOperation({
    method: 'POST',
    path: '/workflows/{id}/publish',
    id: 'publishWorkflow',
    tag,
    summary: 'Publish the draft as a new version. The first time this activates the workflow.',
    response: workflowSchema,
    errors: ['invalid_workflow'],
    handle: (ctx, { params }) => publishWorkflow(ctx, params),
  }),
  defineOperation({
    method: 'POST',
    path: '/workflows/{id}/run-draft',
    id: 'runDraft',
    tag,
    summary:
      'Run the draft without publishing it. Messages and requests that change something are captured unless they are let through.',
    body: runDraftSchema,
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
    summary: 'Unpublish a workflow. Runs in progress continue.',
    response: workflowSchema,
    handle: (ctx, { params }) => unpublishWorkflow(ctx, params),
  }),
  defineOperation({
    method: 'POST',
    path: '/workflows/{id}/activate',
    id: 'activateWorkflow',
    tag,
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
    summary:
      'Pause a workflow: no new runs start. Events are saved and can be replayed; runs in progress continue.',
    response: workflowSchema,
    handle: (ctx, { params }) => pauseWorkflow(ctx, params),
  }),
  defineOperation({
    method: 'PUT',
    path: '/workflows/{id}/tags',
    id: 'setTags',
    tag,
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
    summary: 'Rotate the URLs of a workflow.',
    body: rotateTokenSchema,
    isBodyOptional: true,
    response: workflowSchema,
    handle: (ctx, { params, body }) => rotateToken(ctx, { ...body, id: params.id }),
  }),
];
