import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { alertRecipients, alerts, failedRuns } from '#lib/alerts/schema.ts';
import { AlertWorld } from '#lib/alerts/testing/alert-world.ts';
import { newId } from '#lib/core/ids.ts';
import { mails } from '#lib/mail/schema.ts';
import { readsOfWork } from '#lib/testing/explain.ts';
import { runDraft } from '#lib/workflows/draft-runs/run-draft.ts';
import { typedDraftRunSchema } from '#lib/workflows/draft-runs/schema.ts';
import { deleteWorkflow } from '#lib/workflows/lifecycle.ts';
import { recordFailures } from './record-failures.ts';

let world: AlertWorld;
beforeAll(async () => {
  world = await AlertWorld.open();
});
afterAll(() => world.end());
beforeEach(async () => {
  for (const table of [alerts, mails, alertRecipients]) await world.ctx.db.delete(table);
});

const MINUTE = 60_000;
const tell = (afterMinutes = 0) =>
  recordFailures(world.runtime, new Date(Date.now() + afterMinutes * MINUTE));

test('owners are told of the first failed run at once, with its reason, what to do and a link', async () => {
  await world.addMember('viewer@example.com', 'viewer');
  const workflow = await world.publish('Orders');
  const runId = await world.fail(workflow);
  expect(await tell()).toBe(1);
  const [mail, ...others] = await world.mails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: 'owner@example.com', subject: '“Orders”: a run failed – One' });
  expect(mail?.text).toContain('A run of the workflow “Orders” failed at the task “HTTP request”');
  expect(mail?.text).toContain('Reason: The shop answered 404');
  expect(mail?.text).toContain('The message has the service’s answer.');
  expect(mail?.text).toContain(`https://patchbay.example/runs/${runId}`);
  expect(mail?.text).not.toContain('491715550123');
  expect(await world.alerts()).toMatchObject([
    {
      kind: 'run_failed',
      workflow_id: workflow.id,
      link: { path: `/runs/${runId}` },
      deliveries: [{ channel: 'email', target: 'owner@example.com', state: 'waiting' }],
    },
  ]);
  expect(await world.alerts(world.stranger)).toEqual([]);
});

test('what fails within the cool-down comes in one digest, and nothing is told twice', async () => {
  const workflow = await world.publish();
  await world.fail(workflow);
  await tell();
  await world.fail(workflow);
  await world.fail(workflow);
  await tell(1);
  const last = await world.fail(workflow);
  await tell(59);
  expect(await world.alerts()).toHaveLength(1);
  await tell(61);
  await tell(62);
  const [, digest, ...others] = await world.alerts();
  expect(others).toEqual([]);
  expect(digest).toMatchObject({ title: '“Orders”: 3 more failed runs' });
  expect(digest?.link.path).toBe(`/runs?workflow=${workflow.id}&status=failed`);
  expect(JSON.stringify(digest)).not.toContain('more failed run"');
  expect((await world.mails())[1]?.text).toContain('The newest failed');
  expect(last).toBeDefined();
});

test('workflows are told of apart; runs of drafts and of deleted workflows are not', async () => {
  const [first, second, gone] = [
    await world.publish('First'),
    await world.publish('Second'),
    await world.publish('Gone'),
  ];
  const input = { id: first.id, sample_text: '{}', call_services: true };
  const draft = await runDraft(world.ctx, typedDraftRunSchema.parse(input));
  await world.engine.advance(draft.id);
  expect(await tell()).toBe(0);
  for (const workflow of [first, second, gone]) await world.fail(workflow);
  await deleteWorkflow(world.ctx, { id: gone.id });
  expect(await tell()).toBe(3);
  expect((await world.alerts()).map(({ title }) => title)).toEqual([
    '“First”: a run failed',
    '“Second”: a run failed',
  ]);
});

test('a run that fails because a customer or a member wants it is no alert, and does not hide others', async () => {
  const workflow = await world.publish('Greeting');
  const held = await world.fail(workflow);
  await world.ctx.db.execute(
    sql`update runs set error = (error::jsonb || '{"code": "customer_on_hold"}')::json where id = ${held}`,
  );
  expect(await tell()).toBe(1);
  expect(await world.alerts()).toEqual([]);
  await world.ctx.db.insert(failedRuns).values({
    runId: held,
    workspaceId: world.ctx.workspaceId,
    workflowId: workflow.id,
    failedAt: new Date(),
  });
  const runId = await world.fail(workflow);
  expect(await tell()).toBe(2);
  expect(await world.alerts()).toMatchObject([
    { title: '“Greeting”: a run failed', link: { path: `/runs/${runId}` } },
  ]);
});

test('what failed while no worker ran is told when one is back; two that look at once tell it once', async () => {
  const workflow = await world.publish();
  for (let n = 0; n < 5; n += 1) await world.fail(workflow);
  const counts = await Promise.all([1, 2, 3].map(() => tell(60)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5);
  expect(await world.alerts()).toMatchObject([{ title: '“Orders”: 5 runs failed' }]);
});

test('digests that several workers find due at once are told once each', async () => {
  const workflows = await Promise.all(['One', 'Two', 'Three'].map((name) => world.publish(name)));
  for (const after of [0, 1]) {
    for (const workflow of workflows) await world.fail(workflow);
    await tell(after);
  }
  await Promise.all([1, 2, 3].map(() => tell(61)));
  expect(
    (await world.alerts())
      .slice(3)
      .map(({ title }) => title)
      .toSorted(),
  ).toEqual(['One', 'Three', 'Two'].map((name) => `“${name}”: 1 more failed run`));
});

test('an alert that cannot be recorded leaves its failures to the next look', async () => {
  const workflow = await world.publish();
  await world.fail(workflow);
  const broken = { ...world.runtime, baseUrl: undefined as unknown as string, secrets: null as never };
  await expect(recordFailures(broken)).rejects.toThrow();
  expect(await world.alerts()).toEqual([]);
  expect(await tell()).toBe(1);
  expect(await world.alerts()).toHaveLength(1);
});

test('without mail it is recorded, and says why it was not sent', async () => {
  const workflow = await world.publish();
  await world.fail(workflow);
  const { settings } = world.runtime;
  const withoutMail = {
    ...world.runtime,
    settings: { ...settings, SMTP_URL: undefined, MAIL_FROM: undefined },
  };
  await recordFailures(withoutMail);
  const [alert] = await world.alerts();
  expect(alert?.deliveries).toMatchObject([{ state: 'failed', target: 'owner@example.com' }]);
  expect(alert?.deliveries[0]?.problem).toContain('Mail is not set up');
  expect(await world.mails()).toEqual([]);
});

test('with a hundred thousand failed runs a look reads what is new only', async () => {
  const workflow = await world.publish();
  await world.ctx.db.$client.query(
    `insert into runs (id, workspace_id, workflow_id, version, event_id, status, created_at, finished_at)
     select (lpad(to_hex(n), 12, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid, $1, $2, 1, $3, 'failed', now(), now()
     from generate_series(1, 100000) n`,
    [world.ctx.workspaceId, workflow.id, newId()],
  );
  await world.ctx.db.delete(failedRuns);
  await world.ctx.db.$client.query('vacuum analyze');
  await world.fail(workflow);
  await tell();
  const { rows } = await readsOfWork(world.ctx.db.$client, () => tell());
  expect(rows['runs'] ?? 0).toBeLessThan(10);
  expect(await world.alerts()).toHaveLength(1);
});
