// What the screen and the API say about retention: who keeps what, what is stored, and what a change would delete.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOWEST_ID, lowestIdAt, newId } from '#lib/core/ids.ts';
import { listAuditEntries } from '#lib/identity/audit/list-audit-entries.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { createWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import { findRetention, getRetention, setRetention } from '#lib/identity/workspaces/retention.ts';
import { FOR_EVER, RETENTION_DEFAULTS, retentionSchema } from '#lib/identity/workspaces/schema.ts';
import { explainWork } from '#lib/testing/explain.ts';
import { previewRetention, readStored } from './read-stored.ts';

const DAY_MS = 86_400_000;
const now = new Date();

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.end());

const addEntries = (count: number, daysAgo: number) =>
  context.ctx.db.$client.query(
    `insert into audit_entries (id, workspace_id, actor_name, action)
     select (left($2, 14) || substr(gen_random_uuid()::text, 15))::uuid, $1, 'a', 'a.b' from generate_series(1, $3)`,
    [context.ctx.workspaceId, lowestIdAt(now.getTime() - daysAgo * DAY_MS), count],
  );

test('a new workspace has the defaults; one from before keeps everything until an owner chooses, which is audited', async () => {
  const { ctx, stranger } = context;
  expect(await findRetention(ctx)).toEqual({ retention: FOR_EVER, isChosen: false });
  const userId = newId();
  await ctx.db.$client.query('insert into users (id, email) values ($1, $2)', [userId, 'new@example.com']);
  const { id } = await createWorkspace(ctx.db, { name: 'New', userId });
  expect(await findRetention({ db: ctx.db, workspaceId: id })).toEqual({
    retention: RETENTION_DEFAULTS,
    isChosen: true,
  });
  const chosen = { ...RETENTION_DEFAULTS, messages_days: null, bodies_days: 1 };
  await setRetention(stranger, chosen);
  expect(await getRetention(stranger)).toEqual(chosen);
  expect(await getRetention(ctx)).toEqual(FOR_EVER);
  const { data } = await listAuditEntries(stranger, { limit: 1 });
  expect(data[0]).toMatchObject({
    action: 'workspace.retention_changed',
    targetName: 'bodies 1 day, runs 90 days, messages forever, audit log 400 days',
  });
});

test.each([0, -1, 1.5, 36_501, '30', undefined])('%s is refused, and it is said where', (days) => {
  const { error } = retentionSchema.safeParse({ ...RETENTION_DEFAULTS, runs_days: days });
  expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['runs_days', 'Enter a whole number of days from 1 to 36,500, or nothing to keep it forever.'],
  ]);
});

test('says how much is stored, how fast it grows and what goes now, and what another retention would delete', async () => {
  const { ctx } = context;
  await addEntries(30, 50);
  await addEntries(14, 1);
  const find = async () => (await readStored(ctx, now)).find(({ kind }) => kind === 'audit');
  const stored = await find();
  expect(stored).toMatchObject({ rows: 44, isEstimate: false, rowsADay: 2, due: { rows: 0 } });
  expect(Date.parse(stored?.oldestAt ?? '')).toBe(now.getTime() - 50 * DAY_MS);
  expect(stored?.bytes).toBeGreaterThan(44 * 100);
  expect(stored?.bytes).toBeLessThan(44 * 1000);
  const due = await previewRetention(ctx, { ...FOR_EVER, audit_days: 40 }, now);
  expect(due.map(({ kind, rows }) => [kind, rows])).toEqual([
    ['bodies', 0],
    ['runs', 0],
    ['messages', 0],
    ['received', 0],
    ['windows', 0],
    ['names', 0],
    ['audit', 30],
  ]);
  expect(await getRetention(ctx)).toEqual(FOR_EVER);
  await setRetention(ctx, { ...FOR_EVER, audit_days: 40 });
  expect((await find())?.due.rows).toBe(30);
});

test('what is more than is counted is estimated, and about right', async () => {
  const { ctx } = context;
  await addEntries(9000, 20);
  await ctx.db.$client.query('analyze audit_entries');
  const stored = (await readStored(ctx, now)).find(({ kind }) => kind === 'audit');
  expect(stored?.isEstimate).toBe(true);
  expect(stored?.rows).toBeGreaterThan(7000);
  expect(stored?.rows).toBeLessThan(11_000);
});

test('where nothing is due any more, it reads nothing of what is newer', async () => {
  const { ctx } = context;
  await addEntries(30_000, 1);
  await ctx.db.$client.query(
    `insert into retention_progress (workspace_id, part, position, leftover_position) values ($1, 'audit', $2, $3)`,
    [ctx.workspaceId, lowestIdAt(now.getTime() - 10 * DAY_MS), LOWEST_ID],
  );
  let due: Awaited<ReturnType<typeof previewRetention>> = [];
  const statements = await explainWork(ctx.db.$client, async () => {
    due = await previewRetention(ctx, { ...FOR_EVER, audit_days: 5 }, now);
  });
  expect(due.find(({ kind }) => kind === 'audit')).toMatchObject({ rows: 0, oldestAt: null });
  const most = Math.max(...statements.map(({ reads }) => reads.buffers));
  expect(most).toBeLessThan(60);
});
