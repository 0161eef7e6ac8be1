// The segments of a task run's bar: pure, for the run's timeline.
import type { TaskRunRow } from '#lib/screens/run-types.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';

/** Milliseconds since 1970. */
export interface Segment {
  /** `waiting`: for a delay's end or the next attempt; `failed`: an attempt that was retried. */
  kind: 'queued' | 'waiting' | 'failed' | 'working';
  fromMs: number;
  toMs: number;
}

/**
 * In order; none for skipped tasks and those that have not begun.
 * @param nowMs the end of segments in progress
 */
export function segmentsOf(
  { type, status, startedAt, finishedAt, earlier }: TaskRunRow,
  nowMs: number,
): Segment[] {
  if (!startedAt || status === 'skipped') return [];
  const segments: Segment[] = [];
  for (const attempt of earlier) {
    const fromMs = Date.parse(attempt.startedAt);
    addWait(segments, fromMs);
    segments.push({ kind: 'failed', fromMs, toMs: Date.parse(attempt.finishedAt) });
  }
  const endMs = finishedAt ? Date.parse(finishedAt) : nowMs;
  const isBetweenAttempts = status === 'waiting' && earlier.at(-1)?.startedAt === startedAt;
  if (isBetweenAttempts) addWait(segments, endMs);
  else {
    const fromMs = Date.parse(startedAt);
    addWait(segments, fromMs);
    const isWait = type !== null && findTaskKind(type)?.isWait === true;
    segments.push({ kind: isWait ? 'waiting' : 'working', fromMs, toMs: endMs });
  }
  return segments;
}

function addWait(segments: Segment[], untilMs: number): void {
  const last = segments.at(-1);
  if (last && last.toMs < untilMs) segments.push({ kind: 'waiting', fromMs: last.toMs, toMs: untilMs });
}
