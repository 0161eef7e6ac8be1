// Injects faults at the points of a play, in order, and records all points that are passed.
import type { ProcessKind } from '#lib/core/db/connection-budget.ts';
import { describePoint, type Place, type Point, type Strike, type Struck } from './point.ts';

export class Director {
  /** The points that were passed, before the first fault and after each one. */
  readonly passed: Point[][] = [[]];
  /** Which of the planned ones happened. */
  readonly happened: Struck[] = [];
  readonly #wanted: readonly Struck[];
  #counts = new Map<string, number>();
  #isRecording = true;

  constructor(wanted: readonly Struck[]) {
    this.#wanted = wanted;
  }

  /** Counts a starting operation. */
  count(kind: ProcessKind, operation: string): number {
    const key = `${kind} ${operation}`;
    const nth = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, nth);
    return nth;
  }

  /** @returns the fault at this point. */
  pass(point: Omit<Point, 'place'>, place: Place): Strike | undefined {
    const here = { ...point, place };
    if (this.#isRecording) this.passed.at(-1)?.push(here);
    const next = this.#wanted[this.happened.length];
    if (!next || describePoint(next) !== describePoint(here)) return undefined;
    this.happened.push(next);
    this.passed.push([]);
    this.#counts = new Map();
    return next.strike;
  }

  /** The play is over: later operations are not part of it. */
  end(): void {
    this.#isRecording = false;
  }
}
