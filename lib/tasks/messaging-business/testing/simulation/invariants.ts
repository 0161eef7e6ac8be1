// What must hold of customers after every simulation.
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { Tables } from '#lib/engine/testing/simulation/tables.ts';
import { effectKey, type Platform } from '#lib/engine/testing/simulation/tasks.ts';
import { type CustomerTables, type HoldWait, namesOf, type Outcome, customerOf } from './tables.ts';
import { MESSAGE, QUESTION, type Settings } from './tasks.ts';

interface Played {
  tables: Tables;
  platform: Platform;
  own: CustomerTables;
  graphOf: (workflowId: string) => WorkflowGraph | undefined;
}

/** Each broken invariant in a sentence. */
export function findCustomerViolations(played: Played): string[] {
  const { tables, own } = played;
  const violations = own.leaves.flatMap((leave) => checkLeave(own, leave));
  for (const run of tables.runs.values())
    for (const { id, type, settings } of played.graphOf(run.workflow_id)?.tasks ?? []) {
      const key = effectKey(run.id, id, '');
      const outcome = own.outcomes.get(key);
      if ((type !== MESSAGE && type !== QUESTION) || !outcome) continue;
      const problem = findProblem(played, key, outcome, settings as unknown as Settings);
      if (problem !== undefined) violations.push(`${key} ${problem}`);
    }
  return [...violations, ...checkOrder(own)];
}

type States = NonNullable<ReturnType<CustomerTables['states']['get']>>;
type State = States[number];

/** The states of a name between two moments, with the one in force at the first. */
function statesWithin(own: CustomerTables, name: string, from: number, to: number): (State | undefined)[] {
  const all = own.states.get(name) ?? [];
  const first = all.findLastIndex(({ moment }) => moment < from);
  const later = all.slice(first + 1).filter(({ moment }) => moment < to);
  return [all[first], ...later];
}

const refuses = ({ stopped }: State, isMarketing: boolean): boolean =>
  stopped === 'all' || (stopped === 'marketing' && isMarketing);

/**
 * No message leaves whose record is younger than a hold or a stop that lasts until then. A hold or a stop under any name counts.
 */
function checkLeave(own: CustomerTables, leave: CustomerTables['leaves'][number]): string[] {
  const { key, name, recordedAt, moment, atMs, isMarketing } = leave;
  if (recordedAt === Infinity) return [`${key} was sent and not recorded before`];
  return namesOf(customerOf(name)).flatMap((each) => {
    const states = statesWithin(own, each, recordedAt, moment);
    const isHeld = states.every((state, place) => {
      const endMs = states[place + 1]?.atMs ?? atMs;
      return state?.hold !== undefined && state.hold.until > endMs;
    });
    const isStopped = states.every((state) => state !== undefined && refuses(state, isMarketing));
    if (isHeld) return [`${key} was sent although ${each} was on hold before its record`];
    return isStopped ? [`${key} was sent although ${each} had stopped before its record`] : [];
  });
}

/** A message was sent once and says so, or was not and says why; a reason that never was is none. */
function findProblem(
  { platform, own }: Played,
  key: string,
  { status, branch, error, output, moment }: Outcome,
  { recipient, isMarketing = false, deadlineMs }: Settings,
): string | undefined {
  const sent = platform.accepted.get(key) ?? 0;
  const states = statesWithin(own, recipient, own.recordedAt.get(key) ?? 0, moment);
  const wasStopped = states.some((state) => state && refuses(state, isMarketing));
  if (sent > 1) return `was sent ${sent} times`;
  if (status === 'outcome_unknown') return undefined;
  if (status === 'failed') {
    const { code, details } = error as { code: string; details?: { reason?: string } };
    if (sent > 0) return `was sent and failed: ${code}`;
    if (code === 'customer_stopped') return wasStopped ? undefined : 'was refused for a stop that was none';
    if (code !== 'customer_on_hold') return `failed: ${JSON.stringify(error)}`;
    const isSaid = states.some(
      (state) => state?.hold?.sends === 'suppress' && state.hold.reason === details?.reason,
    );
    return isSaid ? undefined : `was suppressed for a hold that was none: ${JSON.stringify(error)}`;
  }
  if (status !== 'succeeded') return sent > 0 ? `was sent and is ${status}` : undefined;
  if (branch === 'customer_stopped') {
    if (sent > 0) return 'was sent and left by the exit of stops';
    return wasStopped && output?.includes('"stopped"') === true
      ? undefined
      : 'left by the exit of stops without one';
  }
  if (sent === 0) return 'succeeded and was never sent';
  return deadlineMs === undefined ? undefined : checkDeadline(own, { recipient, deadlineMs, output });
}

/** A question ends after its time, and after the time that holds suspended it. */
function checkDeadline(
  own: CustomerTables,
  { recipient, deadlineMs, output }: { recipient: string; deadlineMs: number; output: string | null },
): string | undefined {
  const { askedAt, endedAt } = JSON.parse(output ?? '{}') as { askedAt: number; endedAt: number };
  const states = own.states.get(recipient) ?? [];
  let suspendedMs = 0;
  states.forEach(({ hold, atMs }, place) => {
    if (hold?.deadlines !== 'stand_still' || atMs >= endedAt) return;
    const next = states[place + 1];
    // The row says until when, for the next one as well.
    const from = Math.max(place === 0 ? hold.since : Math.max(hold.since, states[place]?.atMs ?? 0), askedAt);
    const to = Math.min(
      hold.until,
      next?.hold?.since === hold.since ? (next.atMs ?? Infinity) : (next?.hold?.since ?? Infinity),
      endedAt,
    );
    if (to > from) suspendedMs += to - from;
  });
  const dueAt = askedAt + deadlineMs + suspendedMs;
  // Waits end 20 milliseconds early.
  return endedAt < dueAt - TOLERANCE_MS
    ? `ended ${Math.round(dueAt - endedAt)} ms before its time`
    : undefined;
}

const TOLERANCE_MS = 40;

/** Of runs that waited as a hold ended, and that no other one kept, the one that waited first sent first. */
function checkOrder(own: CustomerTables): string[] {
  const violations: string[] = [];
  const sentAt = new Map(own.leaves.map(({ key, moment }) => [key, moment]));
  for (const [name, states] of own.states)
    states.forEach((end, place) => {
      if (end.hold === undefined || end.hold.until > end.atMs) return;
      const next = states[place + 1]?.moment ?? Infinity;
      const there = [...own.waits.values()]
        .filter(({ key, from, to }) => key.endsWith(`:${name}`) && from < end.moment && to > end.moment)
        .toSorted(byPlace);
      // The place of a run with two waits is that of the first.
      const open = new Set(there.filter(({ openTo }) => openTo > end.moment).map(({ place: key }) => key));
      const waiting = [...new Set(there.map(({ place: key }) => key))]
        .filter((key) => open.has(key))
        .map((key) => ({ key, sent: sentAt.get(key) ?? Infinity }))
        .filter(({ sent }) => sent > end.moment && sent < next);
      waiting.forEach(({ key, sent }, index) => {
        const before = waiting.slice(0, index).find((earlier) => earlier.sent > sent);
        if (before) violations.push(`${key} was sent before ${before.key}, which waited first`);
      });
    });
  return violations;
}

const byPlace = (a: HoldWait, b: HoldWait): number => a.openedAt - b.openedAt || a.id.localeCompare(b.id);
