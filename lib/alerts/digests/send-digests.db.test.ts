// A shared connection fails, and many workflows fail within a minute.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import { mails } from '#lib/mail/schema.ts';
import type { Workflow } from '#lib/workflows/schema.ts';
import type { DestinationConfig } from '../alert-types.ts';
import { createDestination, deleteDestination } from '../destinations/save-destination.ts';
import { recordFailures } from '#lib/alerts/failures/record-failures.ts';
import { pruneAlerts } from '#lib/alerts/run-alerts.ts';
import { alertDeliveries, alertRecipients, alerts, alertStates, failedRuns } from '../schema.ts';
import { AlertWorld } from '../testing/alert-world.ts';
import { sendDigests } from './send-digests.ts';
import { DIRECT_ALERTS, WINDOW_MINUTES } from './weigh-window.ts';

const COUNT = 12;
const HELD = COUNT - DIRECT_ALERTS;
const MINUTE_MS = 60_000;

let world: AlertWorld;
let workflows: Workflow[];
beforeAll(async () => {
  world = await AlertWorld.open();
  workflows = [];
  for (let n = 1; n <= COUNT; n += 1) workflows.push(await world.publish(`Shop ${n}`));
});
afterAll(() => world.end());
beforeEach(async () => {
  for (const table of [alerts, mails, alertStates, alertRecipients, failedRuns])
    await world.ctx.db.delete(table);
});

const after = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS);
const look = async (minutes = 0) => {
  await recordFailures(world.runtime, after(minutes));
  await sendDigests(world.runtime, after(minutes));
};
/** Records a failed run of each, like the engine. */
const failAll = (which = workflows) =>
  world.ctx.db.insert(failedRuns).values(
    which.map(({ id }) => ({
      runId: newId(),
      workspaceId: world.ctx.workspaceId,
      workflowId: id,
      failedAt: new Date(),
    })),
  );
const subjects = async () => (await world.mails()).map(({ subject }) => subject);
const deliveryOf = async (title: string) =>
  (await world.alerts()).filter((alert) => alert.title === title).map(({ deliveries }) => deliveries);

test('the first few go out one by one, the others in one digest with a link to each; the page shows them all', async () => {
  await failAll();
  await look();
  expect(await subjects()).toHaveLength(DIRECT_ALERTS);
  expect(await world.alerts()).toHaveLength(COUNT);
  const states = (await world.alerts()).map(({ deliveries }) => deliveries.map(({ state }) => state).join());
  expect(states.toSorted()).toEqual([
    ...Array.from({ length: HELD }, () => 'held'),
    ...Array.from({ length: DIRECT_ALERTS }, () => 'waiting'),
  ]);
  await look(WINDOW_MINUTES - 1);
  expect(await subjects()).toHaveLength(DIRECT_ALERTS);

  await look(WINDOW_MINUTES);
  await look(WINDOW_MINUTES + 1);
  expect((await subjects()).slice(DIRECT_ALERTS)).toEqual([`${HELD} more workflows failed – One`]);
  const digest = (await world.alerts()).at(-1);
  expect(digest).toMatchObject({ title: `${HELD} more workflows failed`, workflow_id: null });
  expect(digest?.items).toHaveLength(HELD);
  const held = (await world.alerts()).filter(({ deliveries }) => deliveries[0]?.in_digest);
  expect(held).toHaveLength(HELD);
  const text = (await world.mails()).at(-1)?.text ?? '';
  for (const { title, link } of held) {
    expect(text).toContain(`- ${title}\n  https://patchbay.example${link.path}`);
    expect(digest?.items).toContainEqual({ text: title, path: link.path });
  }
  await world.ctx.db.update(mails).set({ sentAt: new Date() });
  const [[delivery] = []] = await deliveryOf(held[0]?.title ?? '');
  expect(delivery).toMatchObject({ state: 'delivered', in_digest: true });
});

test('two workers that look at the same time send each alert once and the digest once', async () => {
  await failAll();
  await Promise.all([1, 2, 3].map(() => look()));
  expect(await world.alerts()).toHaveLength(COUNT);
  expect(await subjects()).toHaveLength(DIRECT_ALERTS);
  await failAll(workflows.slice(0, 1));
  await Promise.all([1, 2, 3].map(() => look(WINDOW_MINUTES)));
  expect(await subjects()).toHaveLength(DIRECT_ALERTS + 1);
});

test('what fails after a digest comes together again', async () => {
  await failAll(workflows.slice(0, 8));
  await look();
  await look(WINDOW_MINUTES);
  await failAll(workflows.slice(8));
  await look(WINDOW_MINUTES + 1);
  expect(await subjects()).toHaveLength(DIRECT_ALERTS + 1);
  await look(2 * WINDOW_MINUTES);
  expect((await subjects()).slice(DIRECT_ALERTS)).toEqual([
    '3 more workflows failed – One',
    '4 more workflows failed – One',
  ]);
});

test('each address and each webhook has its own count, and gets its own digest', async () => {
  const webhook: DestinationConfig = { channel: 'webhook', url: 'https://example.com/alerts' };
  const { id } = await createDestination(world.ctx, {
    name: 'On call',
    config: webhook,
    kinds: ['run_failed'],
    enabled: true,
  });
  await world.addMember('second@example.com', 'owner');
  await failAll(workflows.slice(0, 7));
  await look();
  await look(WINDOW_MINUTES);
  const digest = (await world.alerts()).at(-1);
  expect(digest?.title).toBe('2 more workflows failed');
  expect(digest?.deliveries.map(({ channel, target }) => `${channel} ${target}`).toSorted()).toEqual([
    'email owner@example.com',
    'email second@example.com',
    'webhook example.com',
  ]);
  const rows = await world.ctx.db.select().from(alertDeliveries);
  expect(rows.filter(({ destinationId }) => destinationId === id)).toHaveLength(8);
  await deleteDestination(world.ctx, { id });
});

test('what waits for somebody who is removed meanwhile says so', async () => {
  const { id } = await createDestination(world.ctx, {
    name: 'On call',
    config: { channel: 'email', owners: false, user_ids: [], addresses: ['oncall@example.com'] },
    kinds: ['run_failed'],
    enabled: true,
  });
  await failAll(workflows.slice(0, 6));
  await look();
  await deleteDestination(world.ctx, { id });
  await look(WINDOW_MINUTES);
  const deliveries = (await world.alerts()).flatMap((alert) => alert.deliveries);
  const theirs = deliveries.filter(({ target }) => target === 'oncall@example.com');
  expect(theirs.map(({ state }) => state).toSorted()).toEqual([
    'failed',
    ...Array.from({ length: DIRECT_ALERTS }, () => 'waiting'),
  ]);
  expect(theirs.find(({ state }) => state === 'failed')?.problem).toContain('before the digest was sent');
});

test('a digest that cannot be recorded is sent at the next look; counts that are over are removed', async () => {
  await failAll(workflows.slice(0, 7));
  await look();
  const broken = { ...world.runtime, secrets: null as never };
  await expect(sendDigests(broken, after(WINDOW_MINUTES))).rejects.toThrow();
  expect(await world.alerts()).toHaveLength(7);
  await look(WINDOW_MINUTES);
  expect((await world.alerts()).at(-1)?.title).toBe('2 more workflows failed');
  await world.ctx.db.update(alertRecipients).set({ windowStartedAt: new Date(0) });
  await pruneAlerts(world.ctx.db);
  expect(await world.ctx.db.select().from(alertRecipients)).toEqual([]);
});
