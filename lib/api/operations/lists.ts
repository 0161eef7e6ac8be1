// Lists of recipients, each of which starts a run of a workflow.
import * as z from 'zod';
import { pageOf, pageQuerySchema } from '#lib/api/schemas.ts';
import {
  deleteList,
  mapList,
  pauseList,
  resumeList,
  retryList,
  startList,
  stopList,
} from '#lib/lists/change-list.ts';
import { readCsv } from '#lib/lists/read-csv.ts';
import { getList, listLists, listRows } from '#lib/lists/read-list.ts';
import {
  type ListRow,
  listRowSchema,
  listSchema,
  mappingSchema,
  newListSchema,
  retryListSchema,
  ROW_STATES,
  SKIP_REASONS,
  uploadQuerySchema,
} from '#lib/lists/schema.ts';
import { createList, readObjects } from '#lib/lists/upload-list.ts';
import { maskWithin } from '#lib/screens/run-mask.ts';
import { maskRows } from '../mask-for-viewers.ts';
import { defineOperation } from '../operation.ts';

const tag = 'Lists';

const maskRow = (row: ListRow, clean: (text: string) => string): ListRow => ({
  ...row,
  recipient: maskWithin(row.recipient, clean),
  values: maskWithin(row.values, clean),
});

/** Nothing brings messages back. */
const changing = { tag, scope: 'edit', isTool: false, errors: ['conflict'] } as const;

export const LIST_OPERATIONS = [
  defineOperation({
    ...changing,
    method: 'POST',
    path: '/workflows/{id}/lists',
    id: 'createList',
    summary:
      'Upload a list of recipients: a CSV file whose first line has the names of the columns, or JSON. The same rows again are the list that is there.',
    query: uploadQuerySchema,
    body: newListSchema,
    fileTypes: ['text/csv'],
    status: 201,
    response: listSchema,
    handle: async (ctx, { params, query, body, file }) => {
      const { name = 'List', recipient, default_country: defaultCountry, start, again } = query;
      const source = file ? await readCsv(file) : readObjects(body.rows);
      const { list } = await createList(ctx, source, {
        workflowId: params.id,
        name: file ? name : body.name,
        recipient,
        defaultCountry,
        start,
        again,
      });
      return list;
    },
  }),
  defineOperation({
    method: 'GET',
    path: '/workflows/{id}/lists',
    id: 'listLists',
    tag,
    scope: 'read',
    isTool: false,
    summary: 'Lists of a workflow, newest first.',
    query: pageQuerySchema,
    response: pageOf(listSchema),
    handle: (ctx, { params, query }) => listLists(ctx, { workflowId: params.id, ...query }),
  }),
  defineOperation({
    method: 'GET',
    path: '/lists/{id}',
    id: 'getList',
    tag,
    scope: 'read',
    isTool: false,
    summary: 'A list with its progress.',
    response: listSchema,
    handle: (ctx, { params }) => getList(ctx, params),
  }),
  defineOperation({
    method: 'GET',
    path: '/lists/{id}/rows',
    id: 'listRows',
    tag,
    scope: 'read',
    summary: 'Rows of a list, in their order.',
    query: pageQuerySchema.extend({
      state: z.enum(ROW_STATES).optional(),
      skipped: z
        .enum(SKIP_REASONS)
        .optional()
        .meta({ description: 'Only rows that were skipped for this reason.' }),
    }),
    response: pageOf(listRowSchema),
    maskForViewers: maskRows(maskRow),
    isTool: false,
    handle: (ctx, { params, query }) => listRows(ctx, { ...params, ...query }),
  }),
  defineOperation({
    ...changing,
    method: 'PUT',
    path: '/lists/{id}/mapping',
    id: 'mapList',
    summary: 'Set what the columns of a list are, before it is started. Its rows are checked again.',
    body: mappingSchema,
    response: listSchema,
    handle: (ctx, { params, body }) => mapList(ctx, { ...params, mapping: body }),
  }),
  defineOperation({
    ...changing,
    method: 'POST',
    path: '/lists/{id}/start',
    id: 'startList',
    summary: 'Start a run for each row that is not skipped, at the rate of the number.',
    response: listSchema,
    handle: (ctx, { params }) => startList(ctx, params),
  }),
  defineOperation({
    ...changing,
    method: 'POST',
    path: '/lists/{id}/pause',
    id: 'pauseList',
    summary: 'Start no more rows for now. Runs in progress continue.',
    response: listSchema,
    handle: (ctx, { params }) => pauseList(ctx, params),
  }),
  defineOperation({
    ...changing,
    method: 'POST',
    path: '/lists/{id}/resume',
    id: 'resumeList',
    summary: 'Continue a paused list.',
    response: listSchema,
    handle: (ctx, { params }) => resumeList(ctx, params),
  }),
  defineOperation({
    ...changing,
    method: 'POST',
    path: '/lists/{id}/stop',
    id: 'stopList',
    summary: 'Leave out every row that was not started. Runs in progress continue.',
    response: listSchema,
    handle: (ctx, { params }) => stopList(ctx, params),
  }),
  defineOperation({
    ...changing,
    method: 'POST',
    path: '/lists/{id}/retry',
    id: 'retryList',
    summary: 'Let the failed runs of a list continue from what stopped them.',
    body: retryListSchema,
    isBodyOptional: true,
    response: listSchema,
    handle: (ctx, { params, body }) => retryList(ctx, { ...params, ...body }),
  }),
  defineOperation({
    ...changing,
    method: 'DELETE',
    path: '/lists/{id}',
    id: 'deleteList',
    summary: 'Delete a list and its rows. Its runs stay.',
    status: 204,
    handle: (ctx, { params }) => deleteList(ctx, params),
  }),
];
