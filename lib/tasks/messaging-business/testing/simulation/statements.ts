// The statements of sending, holds and consent (lib/messaging) on the tables of the model.
import type { Moment, Row, Statement } from '#lib/engine/testing/simulation/moment.ts';
import type { ModelStatements } from '#lib/engine/testing/simulation/model.ts';
import type { Tables } from '#lib/engine/testing/simulation/tables.ts';
import type { FindRows } from '#lib/engine/testing/simulation/transactions.ts';
import { STATEMENTS } from '#lib/engine/testing/simulation/statements.ts';
import { HOLD_KEYS } from '#lib/messaging/consent/hold-waits.ts';
import { allNamesOf, type CustomerTables, type HoldRow, type Purpose } from './tables.ts';

/** The model's tables belong to those of the engine. */
const ownTables = new WeakMap<Tables, CustomerTables>();
export const setCustomers = (tables: Tables, own: CustomerTables): void => void ownTables.set(tables, own);
const of = ({ tables }: Pick<Moment, 'tables'>): CustomerTables => {
  const own = ownTables.get(tables);
  if (!own) throw new Error('The simulation has no customers.');
  return own;
};

/** Columns of instants count milliseconds. */
const toColumn = (atMs: number): number => Math.round(atMs);
const toMs = (text: string | null): number => (text === null ? Infinity : Date.parse(text));
const toDate = (atMs: number): Date | null => (atMs === Infinity ? null : new Date(atMs));

/** A change of names is noted when it is committed. */
function change(moment: Moment, names: readonly string[], apply: (name: string) => void): void {
  const own = of(moment);
  moment.write((atMs) => {
    for (const name of names) {
      apply(name);
      own.note(name, moment.tables.nextMoment(), atMs);
    }
  });
}

/** Names under which a change is stored, and a look-up reads. */
const knownNames = ({ sabotage }: Moment, names: readonly string[]): string[] =>
  sabotage === 'names' ? names.slice(0, 1) : [...new Set(names.flatMap(allNamesOf))];

const findBlocks: Statement<[workspaceIds: string[], recipients: string[]]> = (moment, [, recipients]) => {
  const own = of(moment);
  return recipients.map((recipient) => {
    const names = knownNames(moment, [recipient]);
    const held = names
      .filter((name) => own.isHeld(name, moment.nowMs))
      .map((name) => own.holds.get(name) as HoldRow)
      .toSorted((a, b) => b.until - a.until)[0];
    if (held?.sends === 'wait') own.onLook(recipient);
    const hold = held && {
      reason: held.reason,
      until: toDate(held.until)?.toISOString() ?? null,
      sends: held.sends,
    };
    return { stopped: own.stoppedOf(names) ?? null, hold: hold ?? null, erasure_key: null, names: null };
  });
};

type NewHolds = [
  places: number[],
  sinces: string[],
  untils: (string | null)[],
  reasons: string[],
  evidences: string[],
  sends: (HoldRow['sends'] | null)[],
  deadlines: (HoldRow['deadlines'] | null)[],
  ...names: [places: number[], workspaceIds: string[], names: string[]],
];

/** One hold at a time. */
const recordHolds: Statement<NewHolds> = (moment, values) => {
  const [, sinces, untils, reasons, , sends, deadlines, , , given] = values;
  const own = of(moment);
  const names = knownNames(moment, given);
  change(moment, names, (name) => {
    const known = own.holds.get(name);
    const since = toMs(sinces[0] ?? null);
    const newDeadlines = deadlines[0] ?? 'run';
    const isNew = known === undefined || known.until <= moment.nowMs || known.deadlines !== newDeadlines;
    const isPaused = known !== undefined && isNew && known.deadlines === 'stand_still';
    own.holds.set(name, {
      since: isNew ? since : known.since,
      until: toMs(untils[0] ?? null),
      reason: reasons[0] ?? '',
      sends: sends[0] ?? 'suppress',
      deadlines: newDeadlines,
      pauses: [
        ...(known?.pauses ?? []),
        ...(isPaused ? [toPause(known.since, Math.min(known.until, since))] : []),
      ],
    });
  });
  return names.map((name) => ({ name }));
};

const toPause = (since: number, until: number): [string, string] => [
  new Date(since).toISOString(),
  new Date(until).toISOString(),
];

const endHolds: Statement<[workspaceId: string, names: string[]]> = (moment, [, given]) => {
  const own = of(moment);
  const names = given.filter((name) => own.isHeld(name, moment.nowMs));
  change(moment, names, (name) => {
    const hold = own.holds.get(name);
    if (hold) own.holds.set(name, { ...hold, until: Math.floor(moment.nowMs) });
  });
  return [];
};

const findHoldEnd: Statement<[workspaceId: string, recipient: string]> = (moment, [, recipient]) => {
  const own = of(moment);
  own.onLook(recipient);
  return knownNames(moment, [recipient])
    .filter((name) => own.isHeld(name, moment.nowMs))
    .map((name) => ({ until: toDate(own.holds.get(name)?.until ?? 0) }));
};

const countEarlier: Statement<[runId: string, taskId: number, iteration: string]> = (moment, values) => {
  const [runId, taskId, iteration] = values;
  const { waits, taskRuns } = moment.tables;
  const held = [...waits.values()]
    .filter(({ key }) => key.startsWith(HOLD_KEYS))
    .toSorted((a, b) => a.opened_at - b.opened_at || a.id.localeCompare(b.id));
  const mine = held.findIndex(
    (wait) => wait.run_id === runId && wait.task_id === taskId && wait.iteration === iteration,
  );
  const earlier = held.slice(0, Math.max(0, mine)).filter(({ key }) => key === held[mine]?.key);
  const counted = earlier.filter(({ run_id, task_id, iteration: of }) => {
    const taskRun = taskRuns.get(run_id)?.get(`${task_id}@${of}`);
    const state = JSON.parse(taskRun?.state ?? '{}') as { waiting_for?: string };
    return ['waiting', 'running'].includes(taskRun?.status ?? '') && state.waiting_for !== 'retry';
  });
  return [{ count: moment.sabotage === 'order' ? 0 : counted.length }];
};

const listPauses: Statement<[workspaceId: string, recipient: string]> = (moment, [, recipient]) => {
  const own = of(moment);
  if (moment.sabotage === 'pauses') return [];
  return knownNames(moment, [recipient]).flatMap((name): Row[] => {
    const hold = own.holds.get(name);
    if (!hold) return [];
    const { pauses, since, until, deadlines } = hold;
    return [{ pauses, since: deadlines === 'stand_still' ? toDate(since) : null, until: toDate(until) }];
  });
};

type NewConsents = [
  places: number[],
  changeIds: string[],
  purposes: Purpose[],
  states: ('given' | 'stopped')[],
  ats: string[],
  evidences: string[],
  mayBeLate: boolean[],
  ...names: [places: number[], workspaceIds: string[], names: string[]],
];

/** One change at a time, which is not late. Consent to all messages includes marketing. */
const recordConsents: Statement<NewConsents> = (moment, values) => {
  const [, [id], [purpose = 'all'], [state], , , , , , given] = values;
  const own = of(moment);
  const purposes = purpose === 'all' && state === 'given' ? ['all', 'marketing'] : [purpose];
  const keysOf = (name: string): string[] => purposes.map((each) => `${name} ${each}`);
  const isNew = (name: string): boolean =>
    keysOf(name).some((key) => own.stops.get(key) !== (state === 'stopped'));
  const names = knownNames(moment, given);
  const changed = names.filter(isNew).map(() => ({ id }));
  change(moment, names, (name) => {
    for (const key of keysOf(name)) own.stops.set(key, state === 'stopped');
  });
  return changed;
};

const takeTurns: Statement<[keys: string[], seconds: number[]]> = (moment, [keys, seconds]) => {
  const { rates } = of(moment);
  return keys.map((key, index) => {
    const { nowMs } = moment;
    const proposed = toColumn(nowMs + (seconds[index] ?? 0) * 1000);
    const known = rates.get(key);
    const next = known === undefined ? proposed : toColumn(Math.max(known, nowMs) + (proposed - nowMs));
    rates.set(key, next);
    return { rate_key: key, ahead_ms: next - nowMs };
  });
};

const fetchTurns: Statement<[keys: string[]]> = (moment, [keys]) => {
  const { turns } = of(moment);
  return keys.flatMap((key) => {
    const at = turns.get(key);
    if (at === undefined) return [];
    turns.delete(key);
    return [{ turn_key: key, wait_ms: Math.max(0, at - moment.nowMs) }];
  });
};

const keepTurns: Statement<[keys: string[], waitMs: number[]]> = (moment, [keys, waitMs]) => {
  keys.forEach((key, index) => of(moment).turns.set(key, toColumn(moment.nowMs + (waitMs[index] ?? 0))));
  return [];
};

/** Notes which runs wait for the end of a hold. */
const notingWaits =
  (statement: Statement<never>): Statement<never> =>
  (moment, values) => {
    const rows = statement(moment, values);
    const { waits: known } = of(moment);
    const { waits, nextMoment } = moment.tables;
    for (const { id, key, run_id, task_id, iteration, opened_at } of waits.values()) {
      if (!key.startsWith(HOLD_KEYS) || known.has(id)) continue;
      const place = `${run_id}/${task_id}@${iteration}`;
      known.set(id, {
        id,
        place,
        key,
        openedAt: opened_at,
        from: nextMoment(),
        openTo: Infinity,
        to: Infinity,
      });
    }
    for (const wait of known.values()) {
      if (wait.openTo === Infinity && waits.get(wait.id)?.is_open !== true) wait.openTo = nextMoment();
      if (wait.to === Infinity && !waits.has(wait.id)) wait.to = nextMoment();
    }
    return rows;
  };

const WRITES = [
  'write_runs_with_waits',
  'write_runs_with_waits_that_fail',
  'write_runs_in_lines',
  'deliver_signal',
];
const noting = Object.fromEntries(
  WRITES.map((name) => [name, notingWaits(STATEMENTS[name] as Statement<never>)]),
);

const holdRows = (names: readonly string[]): string[] =>
  names.flatMap(allNamesOf).map((name) => `hold ${name}`);

const UNNAMED = {
  'insert into customer_holds': 'record_holds',
  'update customer_holds': 'end_holds',
  'insert into customer_consents': 'record_consents',
};

/** @param sabotage `shared`: the look-up after a wait was recorded does not wait for changes that are not committed */
export const customerStatements = (sabotage: string | undefined): ModelStatements => ({
  statements: {
    ...noting,
    find_blocks: findBlocks,
    record_holds: recordHolds,
    end_holds: endHolds,
    find_hold_end: findHoldEnd,
    count_earlier_holds: countEarlier,
    list_pauses: listPauses,
    record_consents: recordConsents,
    take_turns: takeTurns,
    fetch_turns: fetchTurns,
    keep_turns: keepTurns,
  },
  rows: {
    record_holds: ((_, values: NewHolds) => holdRows(values[9])) satisfies FindRows,
    end_holds: ((_, [, names]: [string, string[]]) => holdRows(names)) satisfies FindRows,
    ...(sabotage === 'shared'
      ? {}
      : {
          find_hold_end: ((_, [, recipient]: [string, string]) => holdRows([recipient])) satisfies FindRows,
        }),
  },
  findName: (text) => Object.entries(UNNAMED).find(([part]) => text.includes(part))?.[1],
});
