import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import { events } from '#lib/engine/schema/runs.ts';
import { connections } from '#lib/messaging/schema/connections.ts';
import { sentMessages, undeliveredRuns } from '#lib/messaging/schema/messaging.ts';
import { deleteWorkflow } from '#lib/workflows/lifecycle.ts';
import type { Workflow } from '#lib/workflows/schema.ts';
import { createWorkflow } from '#lib/workflows/create-workflow.ts';
import { workspaceTimes } from '#lib/identity/schema/workspaces.ts';
import { setRetention } from '#lib/identity/workspaces/retention.ts';
import {
  loadAlertSettings,
  setAlertSettings,
  setWorkflowAlertSettings,
} from '#lib/alerts/stored-settings.ts';
import { updateDestination } from '../destinations/save-destination.ts';
import { sendDigests } from '../digests/send-digests.ts';
import { DIRECT_ALERTS, WINDOW_MINUTES } from '../digests/weigh-window.ts';
import { ALERT_KINDS } from '../kinds.ts';
import { alertRecipients, alerts, alertStates } from '../schema.ts';
import { AlertWorld } from '../testing/alert-world.ts';
import { checkConnections } from './check-connections.ts';
import { checkInstallation } from './check-installation.ts';
import { checkPayloads } from './check-payloads.ts';
import { checkSilences } from './check-silences.ts';
import { checkUndelivered } from './check-undelivered.ts';
import { recordMissingWorkers } from './check-workers.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let world: AlertWorld;
beforeAll(async () => {
  world = await AlertWorld.open();
  await updateDestination(world.ctx, {
    id: world.ctx.workspaceId,
    name: 'Owners',
    config: { channel: 'email', owners: true, user_ids: [], addresses: [] },
    kinds: [...ALERT_KINDS],
    enabled: true,
  });
});
afterAll(() => world.end());
beforeEach(async () => {
  await world.ctx.db.delete(alerts);
  await world.ctx.db.delete(alertStates);
  await world.ctx.db.delete(alertRecipients);
});

const titles = async () => (await world.alerts()).map(({ title }) => title);

async function addConnection(more: Partial<typeof connections.$inferInsert>): Promise<string> {
  const id = newId();
  await world.ctx.db.insert(connections).values({
    id,
    workspaceId: world.ctx.workspaceId,
    name: 'Shop',
    scopes: ['chat_business_management', 'chat_business_messaging'],
    accessTokenEncrypted: 'x',
    tokenIssuedAt: new Date(),
    receiverTokenHash: Buffer.from(id),
    receiverTokenEncrypted: 'x',
    ...more,
  });
  return id;
}

test('a connection is told of when it is about to end, and once more when it has ended', async () => {
  const now = new Date();
  const id = await addConnection({ tokenExpiresAt: new Date(now.getTime() + 10 * DAY_MS) });
  const check = (days: number) => checkConnections(world.runtime, new Date(now.getTime() + days * DAY_MS));
  await check(0);
  expect(await titles()).toEqual([]);
  await check(5);
  await check(6);
  expect(await titles()).toEqual(['The connection “Shop” expires in 5 days']);
  await check(11);
  await check(12);
  expect((await titles()).slice(1)).toEqual(['The connection “Shop” has to be reconnected']);
  expect((await world.alerts())[1]?.link.path).toBe(`/connections/${id}`);
  // Reconnected, and expired again.
  const endsAt = new Date(now.getTime() + 60 * DAY_MS);
  const isIt = eq(connections.id, id);
  await world.ctx.db.update(connections).set({ tokenExpiresAt: endsAt, tokenRevision: 2 }).where(isIt);
  await check(13);
  await check(61);
  expect(await titles()).toHaveLength(3);
  await world.ctx.db.delete(connections);
});

test('an alert about a connection that could not be renewed says why', async () => {
  const lastRefreshError = 'The identity provider refused: Error validating client secret.';
  await addConnection({ tokenExpiresAt: new Date(Date.now() + 5 * DAY_MS), lastRefreshError });
  await checkConnections(world.runtime, new Date());
  const [alert] = await world.alerts();
  expect(alert?.paragraphs).toContain(`It could not be renewed: ${lastRefreshError}`);
  await world.ctx.db.delete(connections);
});

test('a connection whose refresh tokens live shorter than the warning is told of once, not after each refresh', async () => {
  const now = Date.now();
  const id = await addConnection({ refreshTokenEncrypted: 'x' });
  for (const day of [0, 1, 2]) {
    await world.ctx.db
      .update(connections)
      .set({ refreshExpiresAt: new Date(now + (day + 5) * DAY_MS), tokenRevision: day + 1 })
      .where(eq(connections.id, id));
    await checkConnections(world.runtime, new Date(now + day * DAY_MS));
  }
  expect(await titles()).toEqual(['The connection “Shop” expires in 5 days']);
  await world.ctx.db.delete(connections);
});

/** Events with ids of their instants, like those of the intake. */
const receive = (
  workflowId: string,
  { lastAt, stepMs, count }: { lastAt: Date; stepMs: number; count: number },
) =>
  world.ctx.db.$client.query(
    `insert into events (id, workspace_id, workflow_id, kind, outcome, received_at, headers, body)
     select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(at::text || $2), 1, 3)
       || '8' || substr(md5($2 || at::text), 1, 15))::uuid, $1, $2::uuid, 'production', 'triggered', at, '{}', '{}'
     from generate_series(0, $3::int - 1) n
     cross join lateral (select $4::timestamptz - n * ($5::text || ' ms')::interval as at) i`,
    [world.ctx.workspaceId, workflowId, count, lastAt, stepMs],
  );

test('a workflow that is usually called and falls silent is told of once, and again after it was called', async () => {
  const workflow = await world.publish('Busy');
  const lastAt = new Date(Date.now() - 3 * DAY_MS);
  await receive(workflow.id, { lastAt, stepMs: 600_000, count: 300 });
  const check = (at = Date.now()) => checkSilences(world.runtime, new Date(at));
  await check(lastAt.getTime() + HOUR_MS / 2);
  expect(await titles()).toEqual([]);
  await check(lastAt.getTime() + 5 * HOUR_MS);
  await check(lastAt.getTime() + 6 * HOUR_MS);
  expect(await titles()).toEqual(['“Busy” went quiet: no event for 5 hours']);
  expect((await world.alerts())[0]?.paragraphs[0]).toContain('Usually one comes every 10 minutes');
  const again = new Date(lastAt.getTime() + 20 * HOUR_MS);
  await receive(workflow.id, { lastAt: again, stepMs: 600_000, count: 30 });
  await check(again.getTime() + HOUR_MS / 2);
  await check(again.getTime() + 40 * HOUR_MS);
  expect(await titles()).toHaveLength(2);
});

test('a chosen period counts instead of the learned one', async () => {
  const workflow = await world.publish('Nightly');
  const lastAt = new Date(Date.now() - 3 * DAY_MS);
  await receive(workflow.id, { lastAt, stepMs: DAY_MS, count: 2 });
  const check = (hours: number) => checkSilences(world.runtime, new Date(lastAt.getTime() + hours * HOUR_MS));
  await setWorkflowAlertSettings(world.ctx, {
    id: workflow.id,
    own: null,
    cooldown_minutes: null,
    silence_hours: 25,
  });
  await check(24);
  expect((await titles()).filter((title) => title.includes('Nightly'))).toEqual([]);
  await check(26);
  expect(await titles()).toContain('“Nightly” went quiet: no event for 26 hours');
});

test('a payload whose fields vanish is told of once, with the tasks that use them', async () => {
  const { id } = await createWorkflow(world.ctx, {
    name: 'Greeter',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'Webhook', settings: {} },
      {
        id: 2,
        type: 'set_variables',
        name: 'Greet',
        settings: { variables: [{ name: 'x', value: '{{task_1_phone}}' }] },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  const send = (count: number, body: string) =>
    world.ctx.db.insert(events).values(
      Array.from({ length: count }, () => ({
        id: newId(),
        workspaceId: world.ctx.workspaceId,
        workflowId: id,
        kind: 'production' as const,
        outcome: 'triggered' as const,
        receivedAt: new Date(),
        headers: {},
        body: Buffer.from(body),
      })),
    );
  await send(100, '{"phone":"1555"}');
  await checkPayloads(world.runtime);
  expect(await titles()).toEqual([]);
  await send(20, '{"telephone":"1555"}');
  await checkPayloads(world.runtime);
  await checkPayloads(world.runtime);
  expect(await titles()).toEqual(['The incoming data of “Greeter” changed']);
  expect((await world.alerts())[0]?.paragraphs[1]).toBe(
    '“phone” is missing in 20 of the last 50 events, and was always there before. Used by “Greet”.',
  );
});

describe('undelivered messages', () => {
  const MINUTE_MS = 60_000;
  /** Marks a run, as a status of its message does. */
  const mark = async (workflow: Workflow, message: Partial<typeof sentMessages.$inferInsert> = {}) => {
    const runId = newId();
    const { workspaceId } = world.ctx;
    const messageId = `wamid.${runId}`;
    const at = new Date();
    await world.ctx.db.insert(sentMessages).values({
      ...{
        workspaceId,
        messageId,
        connectionId: newId(),
        phoneNumberId: '1',
        recipient: '491715550123',
        runId,
      },
      ...{
        status: 'failed',
        statusAt: at,
        timeline: [],
        errors: [{ code: 131026, title: 'To 491715550123' }],
      },
      ...message,
    });
    const marked = { runId, workspaceId, workflowId: workflow.id, messageId };
    await world.ctx.db.insert(undeliveredRuns).values(marked);
    return runId;
  };
  const check = (minutes = 0) => checkUndelivered(world.runtime, new Date(Date.now() + minutes * MINUTE_MS));

  test('the first is told with its reason, what to do and a link; those that follow together after the cool-down', async () => {
    const workflow = await world.publish('Reminders');
    const runId = await mark(workflow);
    await Promise.all([check(), check()]);
    const [alert, ...others] = await world.alerts();
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      kind: 'undelivered',
      title: '“Reminders”: a message was not delivered',
      workflow_id: workflow.id,
      link: { path: `/runs/${runId}` },
    });
    expect(alert?.paragraphs[1]).toMatch(
      /^Reason: To ••••0123 \(131026\)\. The recipient is not on the platform/,
    );
    for (let n = 0; n < 3; n += 1) await mark(workflow, { errors: null });
    await check(59);
    expect(await titles()).toHaveLength(1);
    await check(60);
    await check(61);
    expect((await titles()).slice(1)).toEqual(['“Reminders”: messages of 3 runs were not delivered']);
    expect((await world.alerts())[1]).toMatchObject({
      link: { path: `/runs?workflow=${workflow.id}&status=undelivered` },
      paragraphs: [
        expect.anything(),
        'Reason for the newest: The platform gave no reason.',
        expect.anything(),
      ],
    });
  });

  test('many workflows at once come in a digest, and those of deleted workflows not at all', async () => {
    const deleted = await world.publish('Deleted');
    await mark(deleted);
    await deleteWorkflow(world.ctx, { id: deleted.id });
    for (let n = 1; n <= DIRECT_ALERTS + 2; n += 1) await mark(await world.publish(`Shop ${n}`));
    await check();
    expect(await titles()).toHaveLength(DIRECT_ALERTS + 2);
    await sendDigests(world.runtime, new Date(Date.now() + WINDOW_MINUTES * MINUTE_MS));
    expect((await titles()).slice(DIRECT_ALERTS + 2)).toEqual(['2 more workflows with undelivered messages']);
    expect(
      await world.ctx.db.select().from(undeliveredRuns).where(eq(undeliveredRuns.isReported, false)),
    ).toEqual([]);
  });
});

test('missing workers are told of once, whoever finds it, and again after one was back', async () => {
  const now = Date.now();
  const since = new Date(now);
  const find = (afterHours: number) =>
    recordMissingWorkers(world.runtime, since, new Date(now + afterHours * HOUR_MS));
  await Promise.all([find(0), find(0), find(0)]);
  await find(1);
  expect(await titles()).toEqual(['No worker is running']);
  expect((await world.alerts())[0]).toMatchObject({ kind: 'queue', link: { path: '/settings/health' } });
  await checkInstallation(world.runtime, {
    now: new Date(now + 2 * HOUR_MS),
    readDisk: () => Promise.resolve(null),
  });
  await find(3);
  expect(await titles()).toEqual(['No worker is running', 'No worker is running']);
});

test('instants of an alert are in the time zone of its workspace', async () => {
  const { db, workspaceId } = world.ctx;
  await db.insert(workspaceTimes).values({ workspaceId, zone: 'Asia/Tokyo', hours: {}, holidays: {} });
  const since = new Date('2026-11-26T22:00:00Z');
  await recordMissingWorkers(world.runtime, since, since);
  await db.delete(workspaceTimes);
  expect((await world.alerts())[0]?.paragraphs[0]).toContain('since Nov 27, 2026, 07:00 (Asia/Tokyo).');
});

test('a full disk and an old queue are told of in the first workspace, again after they were well', async () => {
  const now = Date.now();
  const check = (afterHours: number, freeBytes: number) =>
    checkInstallation(world.runtime, {
      now: new Date(now + afterHours * HOUR_MS),
      readDisk: () => Promise.resolve({ freeBytes, bytes: 100e9 }),
    });
  await check(0, 50e9);
  expect(await titles()).toEqual([]);
  await check(0, 5e9);
  await check(1, 4e9);
  expect(await titles()).toEqual(['A disk is nearly full: 5 % free']);
  await check(2, 50e9);
  await check(3, 5e9);
  expect(await titles()).toHaveLength(2);
  const { rows } = await world.ctx.db.$client.query<{ id: string }>(
    `select graphile_worker.add_job('advance', run_at := now() - interval '20 minutes') as job`,
  );
  expect(rows).toHaveLength(1);
  await check(0, 50e9);
  expect((await titles()).at(-1)).toBe('Runs are delayed: they wait 20 minutes before they start');
});

test('data that has not been deleted a day after it was due is told of once', async () => {
  const { $client: pool } = world.ctx.db;
  await setRetention(world.ctx, { bodies_days: null, runs_days: 30, messages_days: null, audit_days: null });
  const check = (afterHours: number) =>
    checkInstallation(world.runtime, {
      now: new Date(Date.now() + afterHours * HOUR_MS),
      readDisk: () => Promise.resolve(null),
    });
  const found = async () => (await world.alerts()).filter(({ kind }) => kind === 'retention');
  await check(23);
  expect(await found()).toEqual([]);
  await check(48);
  await check(49);
  expect((await found()).map(({ title }) => title)).toEqual([
    expect.stringContaining('Old data is not deleted in time'),
  ]);
  await pool.query('delete from retention_settings');
});

test('a full disk of one machine is told once, by name, although the disk of another one is not full', async () => {
  const now = Date.now();
  const check = (afterHours: number, machine: string, freeBytes: number) =>
    checkInstallation(world.runtime, {
      now: new Date(now + afterHours * HOUR_MS),
      machine,
      readDisk: () => Promise.resolve({ freeBytes, bytes: 100e9 }),
    });
  for (const afterHours of [0, 2, 4]) {
    await check(afterHours, 'first', 5e9);
    await check(afterHours + 1, 'second', 50e9);
  }
  const [told, ...others] = (await world.alerts()).filter(({ kind }) => kind === 'disk');
  expect(others).toEqual([]);
  expect(told?.paragraphs[0]).toContain('on first, the machine of a worker.');
});

test('a database that is larger than allowed is told of once, and again when it exceeds what was allowed then', async () => {
  const now = Date.now();
  const check = (afterHours: number, gigabytes: number) =>
    checkInstallation(world.runtime, {
      now: new Date(now + afterHours * HOUR_MS),
      readDisk: () => Promise.resolve(null),
      readBytes: () => Promise.resolve(gigabytes * 1024 ** 3),
    });
  const found = async () => (await world.alerts()).filter(({ kind }) => kind === 'database');
  await check(0, 49);
  expect(await found()).toEqual([]);
  await check(0, 51);
  await check(1, 60);
  expect((await found()).map(({ title }) => title)).toEqual(['The database has 51.0 GB, more than 50 GB']);
  expect((await found())[0]?.link.path).toBe('/settings/retention');
  await setAlertSettings(world.ctx, {
    ...(await loadAlertSettings(world.ctx.db, world.ctx.workspaceId)),
    database_gigabytes: 55,
  });
  await check(2, 60);
  expect(await found()).toHaveLength(2);
  await checkInstallation(world.runtime, {
    now: new Date(now + 3 * HOUR_MS),
    readDisk: () => Promise.resolve(null),
  });
  await check(5, 60);
  expect(await found()).toHaveLength(3);
});
