// The points for faults: around each statement that a process sends to the database, each call to another service and each
// acquisition of a connection. Points are named after their operation.
import type { ProcessKind } from '#lib/core/db/connection-budget.ts';

export type Place = 'before' | 'after';

/** The fault at a point. */
export type Strike =
  /** The process crashes: nothing of it continues, its connections are cut. Another one starts. */
  | 'dies'
  /** It is suspended for longer than the heartbeat's timeout, and resumes after another process did its work. */
  | 'stalls'
  /** It is suspended for a moment, in which another process also gets jobs of its runs. */
  | 'pauses'
  /** The connection breaks: before, the operation never happens; after, it happened and the response is lost. */
  | 'breaks';

/** Kind of operation: only those that write something affect later processes. */
export type Effect = 'reads' | 'writes' | 'calls';

/** An operation of a kind of process, the nth of its name since the start of the play or the last fault. */
export interface Point {
  kind: ProcessKind;
  operation: string;
  nth: number;
  place: Place;
  effect: Effect;
}

export interface Struck extends Point {
  strike: Strike;
}

/** The name of a point in reports, shared by all occurrences of an operation. */
export const nameOf = ({ kind, operation, place }: Pick<Point, 'kind' | 'operation' | 'place'>): string =>
  `${kind}: ${place} ${operation}`;

export const describePoint = (point: Point): string => `${nameOf(point)} #${point.nth}`;

export const describeStruck = (struck: readonly Struck[]): string =>
  struck.map((each) => `${each.strike} ${describePoint(each)}`).join(', then ') || 'undisturbed';
