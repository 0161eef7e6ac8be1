import * as z from 'zod';
import { AppError } from '#lib/core/errors.ts';
import { describeTaskTypes } from '#lib/tasks/render-task-docs.ts';
import { defineOperation } from '../operation.ts';

const tag = 'Task types';

const taskTypeSummarySchema = z
  .strictObject({
    type: z.string().meta({ description: 'The `type` of a task.' }),
    name: z.string(),
    summary: z.string(),
    category: z.string(),
    is_trigger: z.boolean(),
    branches: z.array(z.string()).meta({
      description: 'For `branch` of an edge. Empty: it has one way out, whose edges have no branch.',
    }),
  })
  .meta({ id: 'TaskTypeSummary' });

const taskTypeSchema = z
  .strictObject({
    ...taskTypeSummarySchema.shape,
    settings: z.record(z.string(), z.unknown()).meta({
      description: 'JSON Schema of the settings. What has a default may be left out.',
    }),
    outputs: z.record(z.string(), z.unknown()).meta({
      description: 'JSON Schema of the output. Later tasks use a field as `{{task_<id>_<field>}}`.',
    }),
  })
  .meta({ id: 'TaskType' });

export const TASK_TYPE_OPERATIONS = [
  defineOperation({
    method: 'GET',
    path: '/task-types',
    id: 'listTaskTypes',
    tag,
    scope: 'read',
    summary: 'List the types of tasks that a workflow is made of.',
    response: z.strictObject({ data: z.array(taskTypeSummarySchema) }),
    handle: async () => ({
      data: describeTaskTypes().map(({ type, name, summary, category, is_trigger, branches }) => ({
        ...{ type, name, summary, category, is_trigger },
        branches: [...branches],
      })),
    }),
  }),
  defineOperation({
    method: 'GET',
    path: '/task-types/{type}',
    id: 'getTaskType',
    tag,
    scope: 'read',
    summary: 'Get the settings and outputs of a task type as JSON Schema.',
    response: taskTypeSchema,
    handle: async (_, { params: { type } }) => {
      const found = describeTaskTypes().find((each) => each.type === type);
      if (!found) throw new AppError('not_found', 'There is no such task type: listTaskTypes lists them.');
      const { type_id: _id, branches, ...described } = found;
      return { ...described, branches: [...branches] };
    },
  }),
];
