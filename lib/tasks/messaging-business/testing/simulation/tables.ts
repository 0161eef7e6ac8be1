// The rows of customers that sending reads, and a log of what was true when. Instants are milliseconds since 1970.
import type { TaskRunRow } from '#lib/engine/testing/simulation/tables.ts';

/** A customer has a number and a user id: `number 0` and `user 0`. */
export const namesOf = (customer: number): [string, string] => [`number ${customer}`, `user ${customer}`];
export const customerOf = (name: string): number => Number(name.split(' ')[1]);
export const allNamesOf = (name: string): string[] => namesOf(customerOf(name));

export interface HoldRow {
  since: number;
  /** Infinity: until it is released. */
  until: number;
  reason: string;
  sends: 'suppress' | 'wait';
  deadlines: 'run' | 'stand_still';
  pauses: [since: string, until: string][];
}

export type Purpose = 'all' | 'marketing';

/** Blocks of a name from a moment on. Moments are ordinal numbers of one sequence. */
interface State {
  moment: number;
  atMs: number;
  hold: HoldRow | undefined;
  stopped: Purpose | undefined;
}

/** A message that reached the platform. */
interface Leave {
  key: string;
  name: string;
  isMarketing: boolean;
  /** When it was recorded last that it is about to be sent. */
  recordedAt: number;
  moment: number;
  atMs: number;
}

export interface Outcome extends Pick<TaskRunRow, 'status' | 'branch' | 'error' | 'output'> {
  moment: number;
}

/** A run waits for the end of a hold. */
export interface HoldWait {
  place: string;
  key: string;
  openedAt: number;
  id: string;
  from: number;
  /** Until then it was open. */
  openTo: number;
  /** Until then it was recorded. */
  to: number;
}

/** Everything that the model's statements read and write in one simulation. */
export class CustomerTables {
  readonly holds = new Map<string, HoldRow>();
  /** By name and purpose: whether it is stopped. */
  readonly stops = new Map<string, boolean>();
  readonly rates = new Map<string, number>();
  readonly turns = new Map<string, number>();
  // For the invariants.
  readonly states = new Map<string, State[]>();
  readonly recordedAt = new Map<string, number>();
  readonly outcomes = new Map<string, Outcome>();
  readonly leaves: Leave[] = [];
  readonly waits = new Map<string, HoldWait>();
  /** Called when a run looks at a hold that it waits for, before and after its wait is recorded. */
  onLook: (name: string) => void = () => undefined;

  isHeld(name: string, nowMs: number): boolean {
    return (this.holds.get(name)?.until ?? 0) > nowMs;
  }

  stoppedOf(names: readonly string[]): Purpose | undefined {
    return (['all', 'marketing'] as const).find((purpose) =>
      names.some((name) => this.stops.get(`${name} ${purpose}`) === true),
    );
  }

  /** Notes what keeps messages from a name from now on. */
  note(name: string, moment: number, atMs: number): void {
    const hold = this.holds.get(name);
    const state = { moment, atMs, hold: hold && { ...hold }, stopped: this.stoppedOf([name]) };
    this.states.set(name, [...(this.states.get(name) ?? []), state]);
  }
}
