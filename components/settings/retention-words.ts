// Words of the retention screen, for the form and the table.
import { formatBytes } from '#components/ui/format.ts';
import type { Retention } from '#lib/identity/workspaces/schema.ts';
import type { DueNow, RowCount, StoredKind } from '#lib/workflows/retention/stored-types.ts';

export interface KindWords {
  field: keyof Retention;
  label: string;
  /** Null: it has no field of its own. */
  help: string | null;
  noun: [one: string, many: string];
}

export const KIND_WORDS: Readonly<Record<StoredKind, KindWords>> = {
  bodies: {
    field: 'bodies_days',
    label: 'Contents of events and runs',
    help: 'Bodies and headers of events, what tasks returned, and their files. The event or run stays in its list, but can’t be replayed or retried.',
    noun: ['event with its run', 'events with their runs'],
  },
  runs: {
    field: 'runs_days',
    label: 'Runs and events',
    help: 'Runs with their task runs, and events, including messages from customers. Runs in progress stay until they end.',
    noun: ['event with its run', 'events with their runs'],
  },
  messages: {
    field: 'messages_days',
    label: 'Sent messages',
    help: 'Which message was sent to whom, and whether it was delivered and read. Also when customers wrote, and their number and user IDs, for as long after the last time.',
    noun: ['message', 'messages'],
  },
  received: {
    field: 'messages_days',
    label: 'Messages that customers sent',
    help: null,
    noun: ['received message', 'received messages'],
  },
  windows: {
    field: 'messages_days',
    label: 'When customers last wrote',
    help: null,
    noun: ['conversation', 'conversations'],
  },
  names: {
    field: 'messages_days',
    label: 'Numbers and user IDs of customers',
    help: null,
    noun: ['number or user ID', 'numbers and user IDs'],
  },
  audit: {
    field: 'audit_days',
    label: 'Audit log',
    help: 'Who changed what in the workspace.',
    noun: ['entry', 'entries'],
  },
};

/** "12", "about 1,200,000". */
export function formatCount({ rows, isEstimate }: RowCount): string {
  if (!isEstimate) return rows.toLocaleString('en');
  // Two digits are as exact as the planner's statistics.
  const scale = 10 ** Math.max(0, Math.floor(Math.log10(rows)) - 1);
  return `about ${(Math.round(rows / scale) * scale).toLocaleString('en')}`;
}

/** "about 1,200 runs". */
export function countOf({ kind, ...count }: Pick<DueNow, 'kind' | 'rows' | 'isEstimate'>): string {
  const [one, many] = KIND_WORDS[kind].noun;
  return `${formatCount(count)} ${count.rows === 1 ? one : many}`;
}

const GIGABYTE = 1024 ** 3;

/** Sizes are estimates. */
export function formatSize(bytes: number): string {
  return bytes < GIGABYTE
    ? `about ${formatBytes(Math.round(bytes))}`
    : `about ${(bytes / GIGABYTE).toFixed(1)} GB`;
}

/** What a field holds as days; `undefined`: neither a number nor empty. */
export function readDays(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^\d+$/.test(trimmed) ? Number(trimmed) : undefined;
}

/** Whether something is kept for less time than before. */
export const isShorter = (next: Retention, saved: Retention): boolean =>
  Object.values(KIND_WORDS).some(({ field }) => (next[field] ?? Infinity) < (saved[field] ?? Infinity));
