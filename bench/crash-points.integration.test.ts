// A short run of `npm run crash-points`: a crash at half of the named points that write something, alone or after another one,
// and a sample of the other faults.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Random } from '#lib/testing/random.ts';
import { TASK_DEFINITIONS } from '#lib/tasks/registry.ts';
import { ACTIONS } from '#lib/tasks/messaging-business/actions.ts';
import { Account } from './crash-points/account.ts';
import {
  firstOfEachName,
  isOfWeb,
  leavesOwnTrace,
  namesOf,
  pairsOf,
  type Plan,
  singlesOf,
} from './crash-points/explore.ts';
import { statementName } from './crash-points/operation-names.ts';
import type { Played } from './crash-points/play.ts';
import { nameOf, type Point } from './crash-points/point.ts';
import { SCENARIOS } from './crash-points/scenarios/all.ts';
import { RETENTION_SCENARIOS } from './crash-points/scenarios/retention.ts';
import { useLanes } from './crash-points/use-lanes.ts';

/** Minimum share of the names that can be tested, and of their pairs. */
const NAMES_SHARE = 0.5;
const FEWEST_PAIRS = 5;
/** Minimum share of the names that some play reaches. A few are of statements that only some plays execute: nothing waits for them. */
const REACHED_SHARE = 0.97;
const OTHER_STRIKES = 16;
/** Statements of retention that change something, a crash and a broken connection at each. */
const FEWEST_OF_RETENTION = 30;
const SEED = 1;
/** Minimum share of runs that succeed, so that invariants do not hold only because everything fails. */
const SUCCEEDED_SHARE = 0.6;
/** The count of messages for reports also writes these, at its own times, so that retention may find them written, or a play does not reach them. */
const isOfCounts = ({ operation }: Pick<Point, 'operation'>): boolean =>
  /counted_(?:days|hours)|message_days/.test(operation);
const root = new URL('..', import.meta.url).pathname;

const playThem = useLanes();

/**
 * Tests each name once. Half of the worker's names are tested after another crash, so that these runs are a sample of the
 * pairs; where a run does not reach its name, because its timing differs, the next scenario is used.
 */
async function playEachName(singles: readonly Plan[]): Promise<Played[]> {
  const reached = new Set<string>();
  const playAndNote = async (plans: readonly Plan[]): Promise<Played[]> => {
    const played = await playThem(plans);
    for (const { struck, wanted } of played)
      for (const name of namesOf(wanted).slice(0, struck)) reached.add(name);
    return played;
  };
  const first = firstOfEachName(singles, reached);
  const alone = await playAndNote(first.filter((plan, index) => isOfWeb(plan) || index % 2 === 0));
  const names = new Set(singles.flatMap(({ wanted }) => namesOf(wanted)));
  const pairs = [...alone.filter((each) => !isOfWeb(each)), ...alone.filter(isOfWeb)]
    .flatMap(pairsOf)
    .filter(({ wanted }) => namesOf(wanted).every((name) => names.has(name)));
  const all = [...alone, ...(await playAndNote(firstOfEachName(pairs, reached)))];
  for (let left = singles; ;) {
    const plans = firstOfEachName(left, reached);
    if (plans.length === 0) return all;
    all.push(...(await playAndNote(plans)));
    const tried = new Set(plans.flatMap(keysOf));
    left = left.filter((plan) => !keysOf(plan).some((key) => tried.has(key)));
  }
}

const keysOf = ({ scenario, wanted }: Plan): string[] =>
  namesOf(wanted).map((name) => `${scenario.name}: ${name}`);

/** This many of them, selected by the seed. */
function sample<Item>(items: readonly Item[], count: number): Item[] {
  const random = new Random(SEED);
  return items.filter(() => random.chance(count / items.length));
}

/** Statements of the engine, of intake, of approvals and of sending that no scenario executes, each with the reason. */
const NOT_PLAYED: Readonly<Record<string, string>> = {
  read_rates: 'limits of workspaces are read again every few seconds; it reads',
  keep_turns:
    'a message whose turn is more than four seconds away; lib/messaging/sending/take-turn.db.test.ts',
  fetch_turns: 'the same at its next attempt',
  slow_down: 'a rate that the platform found exceeded; lib/messaging/sending/number-rate.db.test.ts',
  lock_marketing_places:
    'a limit of marketing messages, which is off by default; lib/tasks/messaging-business/marketing-limit.db.test.ts',
  take_marketing_place: 'the same',
  find_approval_link: 'the page of a link; it reads',
  start_runs_with_failed_legs: 'a first leg that fails; lib/alerts/failures/first-leg-failures.db.test.ts',
  lock_moved_waits: 'a customer’s new number; lib/messaging/notifications/forward-notifications.db.test.ts',
  move_waits: 'the same',
  detach_call:
    'a called run that continues after the limit of time; lib/tasks/call-workflow/call-workflow.db.test.ts',
  start_called_test: 'a run of a draft that calls a workflow; the same',
  overtake: 'only while workers are behind; lib/engine/queue/overtaking.db.test.ts',
  hurry_jobs: 'the same',
  load_items: 'the items of a loop that another process resumes; it reads',
};

const account = new Account();
let bases: Played[] | undefined;

/** Each scenario without faults. */
const playBases = async (): Promise<Played[]> =>
  (bases ??= await playThem(SCENARIOS.map((scenario) => ({ scenario, wanted: [] }))));

test('wherever a process dies, nothing is lost, doubled or stuck', async () => {
  const undisturbed = await playBases();
  const deaths = undisturbed.flatMap((base) => singlesOf(base, ['dies']));
  const traces = deaths.filter(({ wanted }) => wanted.every(leavesOwnTrace));
  const allNames = [...new Set(traces.flatMap(({ wanted }) => namesOf(wanted)))];
  const names = new Set(sample(allNames, allNames.length * NAMES_SHARE));
  const played = await playEachName(
    traces.filter(({ wanted }) => namesOf(wanted).every((name) => names.has(name))),
  );
  const others = undisturbed.flatMap((base) => singlesOf(base, ['stalls', 'pauses', 'breaks']));
  for (const each of [...undisturbed, ...played, ...(await playThem(sample(others, OTHER_STRIKES)))])
    account.add(each);
  expect(account.broken.join('\n')).toBe('');
  expect(account.pairs).toBeGreaterThan(FEWEST_PAIRS);
  const isPlayed = (name: string): boolean => Object.keys(NOT_PLAYED).every((each) => !name.endsWith(each));
  const missed = account.unreached.filter(
    (name) => name.startsWith('dies') && isPlayed(name) && !isOfCounts({ operation: name }),
  );
  expect(1 - missed.length / names.size, missed.join('\n')).toBeGreaterThan(REACHED_SHARE);
  expect(account.succeeded / account.runs).toBeGreaterThan(SUCCEEDED_SHARE);
}, 600_000);

describe('retention', () => {
  const isOfRetention = ({ scenario }: Played): boolean => RETENTION_SCENARIOS.includes(scenario);

  /** Each name once that no other scenario has. */
  const ownPlans = async (): Promise<Plan[]> => {
    const undisturbed = await playBases();
    const elsewhere = new Set(
      undisturbed.filter((each) => !isOfRetention(each)).flatMap(({ passed }) => passed.map(nameOf)),
    );
    const plans = undisturbed
      .filter(isOfRetention)
      .flatMap((base) => singlesOf(base, ['dies', 'breaks']))
      .filter(({ wanted }) =>
        wanted.every(
          (struck) => !elsewhere.has(nameOf(struck)) && leavesOwnTrace(struck) && !isOfCounts(struck),
        ),
      );
    return firstOfEachName(plans, new Set());
  };

  test('at whatever statement of it a process dies or is cut off, the same is gone in the end, and nothing else', async () => {
    const own = new Account();
    for (const each of await playThem(await ownPlans())) own.add(each);
    expect(own.broken.join('\n')).toBe('');
    expect(own.struck.size).toBeGreaterThan(FEWEST_OF_RETENTION);
    expect(own.unreached).toEqual([]);
  }, 300_000);

  test('executes every statement that changes something', async () => {
    const passed = (await playBases())
      .filter(isOfRetention)
      .flatMap((base) => base.passed.map(({ operation }) => operation));
    const folder = join(root, 'lib/workflows/retention');
    const statements = readdirSync(folder)
      .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
      .flatMap((file) => [
        ...readFileSync(join(folder, file), 'utf8').matchAll(
          /[`']\s*((?:insert into|update|delete from) [^`']*?)(?:\$\{|[`'])/g,
        ),
      ])
      .map(([, text = '']) => statementName(text).replace(/….*$/, ''));
    expect(statements.length).toBeGreaterThan(15);
    expect(statements.filter((text) => !passed.some((operation) => operation.startsWith(text)))).toEqual([]);
  });
});

describe('the plays', () => {
  test('execute every named statement of the engine, of intake, of approvals, of sending and of lists', () => {
    const folders = [
      'lib/engine/store',
      'lib/engine/queue',
      'lib/webhooks',
      'lib/approvals',
      'lib/messaging/sending',
      'lib/lists',
    ];
    const statements = folders
      .flatMap((folder) => readdirSync(join(root, folder)).map((file) => join(root, folder, file)))
      .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/name: '([a-z_]+)',\s*text/g)])
      .map(([, name]) => name ?? '');
    const passed = new Set([...account.operations].map((operation) => operation.replace(/^\w+: /, '')));
    expect(statements.filter((name) => !passed.has(name) && !(name in NOT_PLAYED))).toEqual([]);
  });

  test('use every task type and every action of the platform', () => {
    const text = JSON.stringify(
      SCENARIOS.map((scenario) => scenario.tasks({ lane: {}, prepared: {} } as never)),
    );
    const missing = [...TASK_DEFINITIONS.keys(), ...ACTIONS].filter((name) => !text.includes(`"${name}"`));
    expect(missing).toEqual(['inbound_webhook', 'message_trigger', 'schedule_trigger']);
  });
});
