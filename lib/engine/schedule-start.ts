// What a schedule is, and what it starts runs with. Isomorphic.
import { localParts } from '#lib/core/time/cron.ts';

/** When a workflow starts on its own. */
export interface ScheduleStart {
  cron: string;
  /** Null: the workspace's. */
  zone: string | null;
  /** What happens to times at which Patchbay was not running: they start it once, later, or not. */
  whenMissed: 'once' | 'skip';
}

/** A time of a schedule, as its event's body and the output of the trigger. */
export interface Tick {
  scheduled_at: string;
  date: string;
  time: string;
  weekday: string;
  zone: string;
  is_late: boolean;
  missed_since: string | null;
  is_manual: boolean;
}

interface TickInput {
  at: Date;
  zone: string;
  isLate?: boolean;
  /** The first of the times before it that started nothing. */
  missedSince?: Date | undefined;
  /** A person started it. */
  isManual?: boolean;
}

/** The fields of a time of a schedule. */
export function toTick({ at, zone, isLate = false, missedSince, isManual = false }: TickInput): Tick {
  return {
    scheduled_at: at.toISOString(),
    ...localParts(at, zone),
    zone,
    is_late: isLate,
    missed_since: missedSince?.toISOString() ?? null,
    is_manual: isManual,
  };
}
