// The rows of an export, newest first, read in batches: each batch is one short statement, and starts where the previous one ended.
import { cursorAfter } from '#lib/core/db/paging.ts';
import { listWholeEvents } from '#lib/events/read-events.ts';
import type { MemberContext } from '#lib/identity/auth/session.ts';
import type { Context } from '#lib/identity/context.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';
import { listMessages } from '#lib/messaging/sending/find-message.ts';
import { toRunMessage } from '#lib/runs/get-run.ts';
import { searchRuns } from '#lib/runs/list-runs.ts';
import type { RunSummary } from '#lib/runs/schema.ts';
import { maskEvent, maskRunSummary, maskWithin, runMask } from '#lib/screens/run-mask.ts';
import { findWorkflowNames } from '#lib/workflows/workflow-names.ts';
import type { Cell, ExportKind } from './export-format.ts';

/** The user who exports: decides what is masked. */
export type ExportReader = Pick<MemberContext, 'role' | 'masksNumbers'>;

export interface ExportSpan {
  /** Milliseconds since 1970. */
  fromMs: number;
  /** Exclusive. */
  toMs: number;
}

type Row = Readonly<Record<string, unknown>>;
type Mask = <Value>(row: Value, mask: (row: Value, clean: (text: string) => string) => Value) => Value;

/** A batch takes tens of milliseconds, also with masked numbers, so that webhooks do not wait for it. */
const ROWS_A_BATCH = 200;
const BODY_BYTES_A_BATCH = 512 * 1024;

export interface ExportTable {
  /** Of the CSV file. */
  columns: readonly string[];
  batches: (ctx: Context, mask: Mask, span: ExportSpan) => AsyncGenerator<readonly Row[]>;
  /** The row with the fields that only CSV has. */
  flatten: (row: Row) => Row;
}

export const EXPORT_TABLES: Readonly<Record<ExportKind, ExportTable>> = {
  events: {
    columns: [
      ...['id', 'received_at', 'workflow_id', 'workflow_name', 'connection_id', 'kind', 'outcome', 'reason'],
      ...[
        'run_id',
        'replay_of',
        'duplicate_of',
        'replayed',
        'body_bytes',
        'body_removed_at',
        'headers',
        'body_format',
      ],
      ...['body', 'body_base64'],
    ],
    batches: readEvents,
    flatten: (row) => row,
  },
  runs: {
    columns: [
      ...['id', 'created_at', 'workflow_id', 'workflow_name', 'version', 'draft_revision', 'event_id'],
      ...[
        'status',
        'delivery',
        'started_at',
        'finished_at',
        'resume_at',
        'contents_removed_at',
        'error_code',
      ],
      ...['error_message', 'error_task_id', 'retry_of', 'awaited'],
    ],
    batches: readRuns,
    flatten: (row) => {
      const { code, message, task_id } = (row['error'] ?? {}) as Partial<NonNullable<RunSummary['error']>>;
      return { ...row, error_code: code, error_message: message, error_task_id: task_id };
    },
  },
  messages: {
    columns: [
      ...['id', 'created_at', 'connection_id', 'phone_number_id', 'recipient', 'kind', 'template', 'status'],
      ...['status_at', 'problem', 'workflow_id', 'workflow_name', 'run_id', 'task_id', 'iteration'],
    ],
    batches: readMessages,
    flatten: (row) => ({ ...row, iteration: (row['iteration'] as number[]).join('.') }),
  },
};

/** The masks of viewers, as for the API's keys with the scope `read`; editors get everything. */
export function maskFor(reader: ExportReader): Mask {
  if (hasRole(reader.role, 'editor')) return (row) => row;
  const clean = runMask(reader);
  return (row, mask) => mask(row, clean);
}

/** The cell of a CSV file for a field. */
export function toCell(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return value;
  return JSON.stringify(value);
}

async function* readEvents(ctx: Context, mask: Mask, span: ExportSpan) {
  let cursor: string | undefined;
  for (;;) {
    const page = { ...span, cursor, limit: ROWS_A_BATCH };
    const events = await listWholeEvents(ctx, page, BODY_BYTES_A_BATCH);
    const last = events.at(-1);
    if (!last) return;
    yield await withNames(
      ctx,
      events.map((event) => mask(event, maskEvent)),
    );
    cursor = cursorAfter(last.id);
  }
}

async function* readRuns(ctx: Context, mask: Mask, span: ExportSpan) {
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = { ...span, cursor, limit: ROWS_A_BATCH, hidesNumbers: false };
    const { data, next_cursor } = await searchRuns(ctx, page);
    yield await withNames(
      ctx,
      data.map((run) => mask(run, maskRunSummary)),
    );
    cursor = next_cursor;
  }
}

async function* readMessages(ctx: Context, mask: Mask, { fromMs, toMs }: ExportSpan) {
  let before = new Date(toMs);
  for (;;) {
    const messages = await listMessages(ctx, { from: new Date(fromMs), before, rows: ROWS_A_BATCH });
    const last = messages.at(-1);
    if (!last) return;
    const rows = messages.map((message) => ({
      ...mask(toRunMessage(message), maskWithin),
      created_at: message.createdAt.toISOString(),
      kind: message.kind,
      connection_id: message.connectionId,
      phone_number_id: message.phoneNumberId,
      run_id: message.runId,
      workflow_id: message.workflowId,
    }));
    yield await withNames(ctx, rows);
    before = last.createdAt;
  }
}

/** Names of workflows, also of deleted ones. */
async function withNames<One extends { workflow_id: string | null }>(ctx: Context, rows: readonly One[]) {
  const names = await findWorkflowNames(
    ctx,
    rows.map(({ workflow_id }) => workflow_id),
  );
  return rows.map((row) => ({ ...row, workflow_name: names.get(row.workflow_id ?? '')?.name ?? null }));
}
