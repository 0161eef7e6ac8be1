import { EXPORT_KINDS, type ExportKind, MEDIA_TYPES } from '#lib/exports/export-format.ts';
import { exportQuerySchema, openExport } from '#lib/exports/open-export.ts';
import { defineOperation, readerOf } from '../operation.ts';

const SUMMARIES: Readonly<Record<ExportKind, string>> = {
  events: 'Export the events of a span of time with headers and bodies, newest first, as CSV or JSON Lines.',
  runs: 'Export the runs of a span of time without their tasks, newest first, as CSV or JSON Lines.',
  messages:
    'Export the messages sent in a span of time with their status, newest first, as CSV or JSON Lines.',
};

const IDS = { events: 'exportEvents', runs: 'exportRuns', messages: 'exportMessages' } as const;

export const EXPORT_OPERATIONS = EXPORT_KINDS.map((kind) =>
  defineOperation({
    method: 'GET',
    path: `/export/${kind}`,
    id: IDS[kind],
    tag: 'Exports',
    scope: 'read',
    summary: SUMMARIES[kind],
    query: exportQuerySchema,
    mediaTypes: Object.values(MEDIA_TYPES).map((type) => type.split(';')[0] ?? type),
    isTool: false,
    errors: ['rate_limited'],
    handle: (ctx, { query }) => openExport(ctx, readerOf(ctx), { ...query, kind }),
  }),
);
