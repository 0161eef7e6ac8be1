// Where a process can be struck: around each statement that it sends to the database, each call to another service and each
// taking of a connection. Nobody names these points: they are called what the operation is called.
import type { ProcessKind } from '#lib/core/db/connection-budget.ts';

export type Place = 'before' | 'after';

/** What happens at a point. */
export type Strike =
  /** The process is gone: nothing of it continues, its connections are cut. Another one starts. */
  | 'dies'
  /** It stands still for longer than a heartbeat may be old, and continues after another process did its work. */
  | 'stalls'
  /** It stands still for a moment, in which jobs of its runs come to another process as well. */
  | 'pauses'
  /** The connection breaks: before, the operation never happens; after, it happened and nobody learns of it. */
  | 'breaks';

/** What an operation does: only what leaves a trace makes a difference to who comes next. */
export type Effect = 'reads' | 'writes' | 'calls';

/** An operation of a kind of process, the nth of its name since the play began or since the last strike. */
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

/** The name of a point, as reports have it: several occurrences of an operation share it. */
export const nameOf = ({ kind, operation, place }: Pick<Point, 'kind' | 'operation' | 'place'>): string =>
  `${kind}: ${place} ${operation}`;

export const describePoint = (point: Point): string => `${nameOf(point)} #${point.nth}`;

export const describeStruck = (struck: readonly Struck[]): string =>
  struck.map((each) => `${each.strike} ${describePoint(each)}`).join(', then ') || 'undisturbed';
