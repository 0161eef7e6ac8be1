// Authorization of every server action, route, page and operation of the API, tested against the running product. One that is
// missing in the tables fails the first tests; every entry is tested as every kind of caller (fixtures/authorization-rules.ts).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '#lib/api/operation.ts';
import { OPERATIONS } from '#lib/api/operations/operations.ts';
import {
  hasScope,
  highestScopeOf,
  KEY_SCOPES,
  type KeyScope,
  lowerScope,
  ROLE_OF_SCOPE,
} from '#lib/identity/api-keys/scopes.ts';
import { type ActionCase, ACTIONS } from './testing/authorization-actions.ts';
import { type Answer, callAction, type CookieJar, request, signIn } from './testing/authorization-client.ts';
import { OPERATION_CASES } from './testing/authorization-operations.ts';
import { type AddressCase, PAGES, type RouteCase, ROUTES } from './testing/authorization-routes.ts';
import {
  DATA_REFUSALS,
  type Caller,
  CALLERS,
  type Expected,
  expectedOf,
  PAGE_REFUSALS,
  type Refusals,
  type Rule,
} from './testing/authorization-rules.ts';
import {
  type BuiltAction,
  listActions,
  listBuilt,
  listPages,
  listRoutes,
  readBuiltActions,
} from './testing/authorization-surface.ts';
import { FOR_OWNERS } from './testing/authorization-targets.ts';
import { MARK, PASSWORD, startWorld, type World } from './testing/authorization-world.ts';
import { buildIfNeeded } from './launcher/build.ts';

const root = new URL('..', import.meta.url).pathname;
let world: World;
let builtActions: Map<string, BuiltAction>;

beforeAll(async () => {
  await buildIfNeeded(root, () => undefined, new AbortController().signal);
  builtActions = readBuiltActions(root);
  world = await startWorld();
});
afterAll(() => world.stop());

const sortedKeys = (table: object): string[] => Object.keys(table).sort();

describe('the tables know everything that can be called', () => {
  test('server actions, by their sources and by what was built', () => {
    const tables: Record<string, object> = ACTIONS;
    const known = Object.fromEntries(
      Object.entries(tables).map(([file, cases]) => [file, sortedKeys(cases)]),
    );
    const found = Object.fromEntries(
      Object.entries(listActions(root)).map(([file, names]) => [file, names.sort()]),
    );
    expect(known).toEqual(found);
    const names = Object.entries(known).flatMap(([file, all]) => all.map((name) => `${file}#${name}`));
    expect([...builtActions.keys()].sort()).toEqual(names.sort());
  });

  test('routes with their methods', () => {
    const known = Object.entries(ROUTES).map(([file, methods]) => [file, sortedKeys(methods)]);
    const found = Object.entries(listRoutes(root)).map(([file, methods]) => [file, methods.sort()]);
    expect(Object.fromEntries(known)).toEqual(Object.fromEntries(found));
  });

  test('pages, and nothing else was built', () => {
    expect(sortedKeys(PAGES)).toEqual(listPages(root));
    const known = [...sortedKeys(PAGES), ...sortedKeys(ROUTES)].map((file) => file.replace(/\.tsx?$/, ''));
    expect(listBuilt(root)).toEqual(known.sort());
  });

  test('operations of the API', () => {
    expect(sortedKeys(OPERATION_CASES)).toEqual(OPERATIONS.map(({ id }) => id).sort());
  });
});

/** The owner of a sample: the caller, if permitted; else an editor. */
const madeFor = (caller: Caller): { userId: string; workspaceId: string } => {
  const isMember = caller === 'viewer' || caller === 'editor' || caller === 'owner';
  return { userId: world.people[isMember ? caller : 'editor'].userId, workspaceId: world.workspaceId };
};

async function cookiesOf(caller: Caller, rule: Rule) {
  const { email, cookies } = world.people[caller];
  return rule.endsSession && email !== '' ? signIn(world.base, email, PASSWORD) : cookies;
}

/** Makes a call and compares it with the expectation: the response, its content, and the state of the database. */
async function check(caller: Caller, expected: Expected, call: () => Promise<Answer>): Promise<Answer> {
  const unchanged = leavesAll(expected) ? 'everything' : expected.unchanged;
  const scope = unchanged === 'everything' ? undefined : world.workspaceId;
  await world.changes.take();
  const answer = await call();
  expect(answer.outcome, `${caller}: ${answer.body.slice(0, 300)}`).toBe(expected.outcome);
  if (unchanged !== 'nothing') expect(await world.changes.take(scope), `${caller} changed`).toEqual([]);
  if (!expected.mayRead) expect(answer.body.includes(MARK), `${caller} reads what is not theirs`).toBe(false);
  if (caller === 'viewer' || caller === 'editor')
    expect(answer.body.includes(FOR_OWNERS), `${caller} reads what is for owners`).toBe(false);
  if (caller === 'viewer') expect(world.secrets.findIn(answer.body), 'viewers are shown secrets').toEqual([]);
  expect(world.planted.findIn(answer.body), "secrets of tasks' settings are shown").toEqual([]);
  return answer;
}

/** Whether a call with this response must not have changed anything. */
const leavesAll = ({ outcome, unchanged }: Expected): boolean =>
  unchanged === 'everything' || !/^(ok|nothing|redirect .*)$/.test(outcome);

/**
 * Samples for calls one after another: those that change nothing, which is checked of each, share one. @param make creates the
 * sample for a caller
 */
function createSamples<Sample>(make: (by: ReturnType<typeof madeFor>) => Sample | Promise<Sample>) {
  let untouched: { sample: Sample; userId: string } | undefined;
  return async (caller: Caller, expected: Expected): Promise<Sample> => {
    const by = madeFor(caller);
    if (!leavesAll(expected)) return make(by);
    if (untouched?.userId !== by.userId) untouched = { sample: await make(by), userId: by.userId };
    return untouched.sample;
  };
}

const NOT_FOUND: Expected = { outcome: 'not_found', unchanged: 'everything', mayRead: false };

describe('server actions', () => {
  const tables: Record<string, Record<string, ActionCase>> = ACTIONS;
  const cases = Object.entries(tables).flatMap(([file, all]) =>
    Object.entries(all).map(([name, rule]) => [`${file}#${name}`, rule] as const),
  );

  test.each(cases)('%s', async (name, rule) => {
    const built = builtActions.get(name);
    if (!built) throw new Error('It is not in the build.');
    const samples = createSamples((by) => rule.args(world.here, by));
    for (const caller of CALLERS) {
      const expected = expectedOf(rule, caller, DATA_REFUSALS);
      const args = await samples(caller, expected);
      const cookies = await cookiesOf(caller, rule);
      const answer = await check(caller, expected, () => callAction(world.base, cookies, built, args));
      if (rule.isBulk && caller === 'other workspace')
        expect(answer.body).toMatch(/"problem":"This \w+ does not exist/);
      if (rule.isBulk && caller === 'editor') expect(answer.body).toContain('"problem":null');
    }
    if (!rule.mixed) return;
    const mixed = await rule.mixed(world.elsewhere, world.here);
    const { cookies } = world.people['other workspace'];
    await check('other workspace', NOT_FOUND, () => callAction(world.base, cookies, built, mixed));
  });
});

test('server actions that anyone may call refuse to run without arguments', async () => {
  const tables: Record<string, Record<string, ActionCase>> = ACTIONS;
  const open = Object.entries(tables).flatMap(([file, all]) =>
    Object.entries(all).flatMap(([name, rule]) => (rule.for === 'anyone' ? [`${file}#${name}`] : [])),
  );
  const { cookies } = world.people['signed out'];
  for (const name of open) {
    const built = builtActions.get(name);
    if (!built) throw new Error('It is not in the build.');
    const { outcome } = await callAction(world.base, cookies, built, []);
    expect([name, outcome]).not.toEqual([name, 'internal']);
  }
});

async function checkAddress(rule: AddressCase & Partial<RouteCase>, method: string, refusals: Refusals) {
  const ask = (path: string, cookies: CookieJar) =>
    request(world.base + path, {
      method,
      body: rule.body,
      headers: { ...rule.headers, cookie: String(cookies) },
    });
  const samples = createSamples((by) => rule.path(world.here, by));
  for (const caller of CALLERS) {
    const expected = expectedOf(rule, caller, refusals);
    const path = await samples(caller, expected);
    const { cookies } = world.people[caller];
    await check(caller, expected, () => ask(path, cookies));
  }
  if (!rule.mixed) return;
  const path = await rule.mixed(world.elsewhere, world.here);
  await check('other workspace', NOT_FOUND, () => ask(path, world.people['other workspace'].cookies));
}

describe('routes', () => {
  const cases = Object.entries(ROUTES).flatMap(([file, methods]) =>
    Object.entries(methods).map(([method, rule]) => [method, file, rule] as const),
  );

  test.each(cases)('%s %s', async (method, _file, rule) => {
    await checkAddress(rule, method, rule.isForBrowsers ? PAGE_REFUSALS : DATA_REFUSALS);
  });
});

describe('pages', () => {
  test.each(Object.entries(PAGES))('%s', async (_file, rule) => {
    await checkAddress(rule, 'GET', PAGE_REFUSALS);
  });
});

/** The role that decides what a key is shown. */
const callerOf = (scope: KeyScope): Caller => ROLE_OF_SCOPE[scope];

/** Besides those that are files. */
const EXPORTS = ['exportCustomer'];

describe('operations of the API', () => {
  const cases = OPERATIONS.map((operation) => [operation.id, operation] as const);

  /** Calls an operation, with a sample of this workspace. */
  function createCalls({ id, method, path: pattern }: Operation) {
    const sample = OPERATION_CASES[id] ?? {};
    const samples = createSamples(async () => (await sample.params?.(world.here)) ?? {});
    return async (caller: Caller, expected: Expected, headers: Record<string, string>): Promise<Answer> => {
      const params = await samples('editor', expected);
      const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
      return check(caller, expected, () =>
        request(`${world.base}/api/v1${path}`, { method, headers, body: sample.body }),
      );
    };
  }
  const by = (key: string) => ({ authorization: `Bearer ${key}` });

  test.each(cases)('%s: nobody without a key that works', async (_, operation) => {
    const refused: Expected = { outcome: 'unauthorized', unchanged: 'everything', mayRead: false };
    const credentials: Record<string, string>[] = [
      {},
      { cookie: String(world.people.owner.cookies) },
      ...Object.values(world.keys.ended).map(by),
    ];
    const call = createCalls(operation);
    for (const headers of credentials) await call('other workspace', refused, headers);
  });

  test.each(cases)('%s: no key of another workspace', async (id, operation) => {
    const sample = OPERATION_CASES[id];
    const strangers: Expected = sample?.isOwn
      ? { outcome: 'ok', unchanged: 'this workspace', mayRead: false }
      : sample?.isFirstWorkspaces
        ? { outcome: 'forbidden', unchanged: 'everything', mayRead: false }
        : NOT_FOUND;
    await createCalls(operation)('other workspace', strangers, by(world.keys.otherWorkspace));
  });

  test.each(cases)('%s: keys by their scope and by the role of their maker', async (_, operation) => {
    // An export is recorded in the audit log.
    const isReading =
      operation.method === 'GET' && operation.mediaTypes === undefined && !EXPORTS.includes(operation.id);
    const allowed: Expected = {
      outcome: 'ok',
      unchanged: isReading ? 'everything' : 'nothing',
      mayRead: true,
    };
    const forbidden: Expected = { outcome: 'forbidden', unchanged: 'everything', mayRead: false };
    const call = createCalls(operation);
    for (const { key, scope, role } of world.keys.own) {
      const effective = lowerScope(scope, highestScopeOf(role));
      const isAllowed = hasScope(effective, operation.scope);
      const answer = await call(callerOf(effective), isAllowed ? allowed : forbidden, by(key));
      if (!isAllowed) expect(answer.body).toContain(`this needs \"${operation.scope}\"`.replace(/"/g, '\\"'));
    }
    await call('owner', allowed, by(world.keys.operator));
  });
});

describe('the scopes that operations declare', () => {
  test('every operation declares one', () => {
    for (const { id, scope } of OPERATIONS) expect(KEY_SCOPES, id).toContain(scope);
  });

  test('what changes something needs more than to read, and what only reads needs no more, but for secrets, keys, sign-in and erasures', () => {
    const unlike = OPERATIONS.filter(({ method, scope }) => (method === 'GET') !== (scope === 'read'));
    expect(unlike.filter(({ method }) => method === 'GET').map(({ id }) => id)).toEqual([
      'exportCustomer',
      'listErasures',
      'listApiKeys',
      'listSecrets',
      'getSignInPolicy',
      'checkIdentityProvider',
      'getGroupAccess',
      'getTwoFactorRequirement',
    ]);
    expect(unlike.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
