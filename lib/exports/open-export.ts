// An export as a file: who may, one at a time for a workspace, recorded in the audit log, and streamed as fast as it is read.
import * as z from 'zod';
import { describeIssue } from '#lib/core/describe-issue.ts';
import { AppError } from '#lib/core/errors.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import {
  EXPORT_FORMATS,
  type ExportFormat,
  type ExportKind,
  MEDIA_TYPES,
  toCsvRecord,
} from './export-format.ts';
import { EXPORT_TABLES, type ExportReader, type ExportSpan, maskFor, toCell } from './read-rows.ts';

const HOW_TO_WRITE =
  'Enter a date such as 2026-11-01, or a date and time with its offset such as 2026-11-01T09:00:00Z (a + is written %2B in a URL).';

const instant = z
  .string()
  .refine(
    (text) => z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(text).success,
    HOW_TO_WRITE,
  );

export const exportQuerySchema = z
  .strictObject({
    from: instant.optional().meta({
      description:
        'The first instant, in ISO 8601; a date is its midnight in UTC. Left out: 7 days before `to`.',
    }),
    to: instant.optional().meta({
      description: 'The first instant that is not included anymore, in ISO 8601. Left out: now.',
    }),
    format: z.enum(EXPORT_FORMATS).default('csv').meta({ description: 'jsonl: JSON Lines.' }),
  })
  .superRefine((query, check) => {
    const { fromMs, toMs } = toSpan(query);
    if (fromMs >= toMs)
      check.addIssue({ code: 'custom', path: ['from'], message: '"from" must be before "to".' });
  });
export type ExportQuery = z.output<typeof exportQuerySchema>;

/** The parameters of a URL. @throws AppError `invalid_request` with every problem by its parameter */
export const readExportQuery = (parameters: URLSearchParams): ExportQuery =>
  readQuery(exportQuerySchema, Object.fromEntries(parameters), 'The export cannot start like this.');

/**
 * The parameters of a URL by their schema.
 * @param refusal the error's message
 * @throws AppError `invalid_request` with every problem by its parameter
 */
export function readQuery<Schema extends z.ZodType>(
  schema: Schema,
  given: Readonly<Record<string, string>>,
  refusal: string,
): z.output<Schema> {
  const { data, error } = schema.safeParse(given);
  if (!error) return data;
  const problems = error.issues.map((issue) => {
    const path = String(issue.path[0] ?? '');
    return { path, message: describeIssue(issue, given[path]) };
  });
  throw new AppError('invalid_request', refusal, { problems });
}

const DEFAULT_SPAN_MS = 7 * 86_400_000;

function toSpan({ from, to }: Pick<ExportQuery, 'from' | 'to'>): ExportSpan {
  const toMs = to === undefined ? Date.now() : Date.parse(to);
  return { fromMs: from === undefined ? toMs - DEFAULT_SPAN_MS : Date.parse(from), toMs };
}

/** A file that is produced while it is read. It fails where it would be incomplete; who no longer reads cancels it. */
export interface Download {
  content: ReadableStream<Uint8Array<ArrayBuffer>>;
  headers: Record<string, string>;
}

interface ExportOptions {
  /** Spreadsheets only recognize UTF-8 by a byte order mark; programs would read it as a part of the first column. */
  isForSpreadsheets?: boolean;
  /** Ends an export that is no longer read. */
  idleMs?: number;
}

const IDLE_MS = 60_000;

/**
 * Starts an export of a workspace's rows, newest first, masked for the reader.
 * @throws AppError `rate_limited` while another one of the workspace is in progress in this process
 */
export async function openExport(
  ctx: ActorContext,
  reader: ExportReader,
  { kind, format, ...range }: ExportQuery & { kind: ExportKind },
  { isForSpreadsheets = false, idleMs = IDLE_MS }: ExportOptions = {},
): Promise<Download> {
  const span = toSpan(range);
  const [from, to] = [new Date(span.fromMs).toISOString(), new Date(span.toMs).toISOString()];
  const release = claimTurn(ctx.workspaceId);
  try {
    const name = `${from} to ${to}, ${format}`;
    await ctx.db.transaction((tx) => recordAudit(ctx, tx, `${kind}.exported`, { name }));
  } catch (error) {
    release();
    throw error;
  }
  const start = format === 'csv' && isForSpreadsheets ? '\uFEFF' : '';
  const lines = writeLines(ctx, reader, { kind, format, span, start });
  return {
    content: toStream(lines, { release, idleMs }),
    headers: {
      'Content-Type': MEDIA_TYPES[format],
      'Content-Disposition': `attachment; filename="${kind}-${from.slice(0, 10)}-to-${to.slice(0, 10)}.${format}"`,
    },
  };
}

interface Written {
  kind: ExportKind;
  format: ExportFormat;
  span: ExportSpan;
  /** Before everything else. */
  start: string;
}

async function* writeLines(
  ctx: ActorContext,
  reader: ExportReader,
  { kind, format, span, start }: Written,
): AsyncGenerator<string> {
  const { columns, batches, flatten } = EXPORT_TABLES[kind];
  if (format === 'csv') yield start + toCsvRecord(columns);
  for await (const rows of batches(ctx, maskFor(reader), span)) {
    if (format === 'jsonl') yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    else
      yield rows
        .map((row) => flatten(row))
        .map((row) => toCsvRecord(columns.map((column) => toCell(row[column]))))
        .join('');
  }
}

/** Next bundles its own copies of modules, so they live on globalThis. */
const KEY = Symbol.for('patchbay.exports');
/** So that exports of many workspaces leave most connections of a process to others. */
const MOST_AT_ONCE = 3;
const RETRY_AFTER_SECONDS = 10;

/** @returns ends the turn; may be called again */
function claimTurn(workspaceId: string): () => void {
  const shared = globalThis as { [KEY]?: Set<string> };
  const running = (shared[KEY] ??= new Set());
  const wait = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  if (running.has(workspaceId))
    throw new AppError(
      'rate_limited',
      'Another export of this workspace is in progress. Wait until it has ended, or cancel it.',
      wait,
    );
  if (running.size >= MOST_AT_ONCE)
    throw new AppError('rate_limited', 'Other exports are in progress. Try again in a moment.', wait);
  running.add(workspaceId);
  let isOver = false;
  return () => {
    if (!isOver) running.delete(workspaceId);
    isOver = true;
  };
}

/** Reads on only when the reader has taken what there was. */
function toStream(
  lines: AsyncGenerator<string>,
  { release, idleMs }: { release: () => void; idleMs: number },
): Download['content'] {
  const encoder = new TextEncoder();
  let idle: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = (): void => {
    isOver = true;
    clearTimeout(idle);
    release();
  };
  return new ReadableStream(
    {
      start: (controller) => watchReader(controller),
      async pull(controller) {
        clearTimeout(idle);
        try {
          const next = await readPart(lines);
          if (isOver) return;
          if (next !== undefined) controller.enqueue(encoder.encode(next));
          else {
            end();
            return controller.close();
          }
          watchReader(controller);
        } catch (error) {
          if (isOver) return;
          end();
          controller.error(error);
          await logFailure(error);
        }
      },
      async cancel() {
        end();
        await lines.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );

  function watchReader(controller: ReadableStreamDefaultController): void {
    idle = setTimeout(() => {
      end();
      controller.error(new Error(`The export was not read for ${idleMs / 1000} seconds.`));
      void lines.return(undefined);
    }, idleMs).unref();
  }
}

/** Parts that are not empty; undefined at the end. */
async function readPart(lines: AsyncGenerator<string>): Promise<string | undefined> {
  for (;;) {
    const next = await lines.next();
    if (next.done) return undefined;
    if (next.value !== '') return next.value;
  }
}

/** Loaded when needed: it reads the settings of the process. */
async function logFailure(error: unknown): Promise<void> {
  const { logger } = await import('#lib/core/log.ts');
  logger.error({ err: error }, 'an export failed before its end');
}
