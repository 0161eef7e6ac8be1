// A time of a schedule starts its workflow once, whatever happens to the processes that start it (docs/engine.md, "Schedules").
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { inTransaction, openHotPool, type Pool } from '#lib/core/db/client.ts';
import { insertWorkflow, type InsertedWorkflow } from '#lib/testing/insert-workflow.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import type { Tick } from '../schedule-start.ts';
import { followZone } from './schedules.ts';
import { startDue } from './start-due.ts';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openHotPool(database.url, { maxConnections: 6, name: 'schedules' });
});
afterEach(async () => {
  await pool.query('delete from schedules');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const GRAPH = { tasks: [{ id: 1, type: 'schedule_trigger', name: 'Schedule', settings: {} }], edges: [] };
const MINUTE_MS = 60_000;

/** A full minute in the past. */
const minutesAgo = (minutes: number): Date =>
  new Date(Math.floor(Date.now() / MINUTE_MS - minutes) * MINUTE_MS);

interface Scheduled {
  cron?: string;
  zone?: string | null;
  whenMissed?: 'once' | 'skip';
  nextAt: Date | null;
}

async function schedule({ cron = '* * * * *', zone = null, whenMissed = 'once', nextAt }: Scheduled) {
  const workflow = await insertWorkflow(pool, GRAPH);
  await pool.query(
    `insert into schedules (workflow_id, workspace_id, cron, zone, when_missed, next_at) values ($1, $2, $3, $4, $5, $6)`,
    [workflow.workflowId, workflow.workspaceId, cron, zone, whenMissed, nextAt],
  );
  return workflow;
}

const reported: string[] = [];
const start = () => startDue(pool, (id) => reported.push(id));

interface Started {
  kind: string;
  outcome: string;
  run_id: string | null;
  tick: Tick;
}

async function eventsOf({ workflowId }: InsertedWorkflow): Promise<Started[]> {
  const { rows } = await pool.query<Omit<Started, 'tick'> & { body: Buffer }>(
    'select kind, outcome, run_id, body from events where workflow_id = $1 order by id',
    [workflowId],
  );
  return rows.map(({ body, ...row }) => ({ ...row, tick: JSON.parse(body.toString()) as Tick }));
}

async function nextOf({ workflowId }: InsertedWorkflow): Promise<Date | null> {
  const query = 'select next_at from schedules where workflow_id = $1';
  return (await pool.query<{ next_at: Date | null }>(query, [workflowId])).rows[0]?.next_at ?? null;
}

test('what is due starts, with its event, run and job, and its next time is set', async () => {
  const nextAt = minutesAgo(0);
  const workflow = await schedule({ nextAt, zone: 'Europe/Berlin' });
  await start();
  const [event, ...more] = await eventsOf(workflow);
  expect(more).toEqual([]);
  expect(event).toMatchObject({ kind: 'schedule', outcome: 'triggered' });
  expect(event?.tick).toMatchObject({
    scheduled_at: nextAt.toISOString(),
    zone: 'Europe/Berlin',
    is_late: false,
    missed_since: null,
    is_manual: false,
  });
  const { rows } = await pool.query('select version, status, event_id from runs where id = $1', [
    event?.run_id,
  ]);
  expect(rows).toMatchObject([{ version: 1, status: 'queued' }]);
  const next = await nextOf(workflow);
  expect(next?.getTime()).toBeGreaterThan(nextAt.getTime());
  expect(Number(next) - Date.now()).toBeLessThanOrEqual(MINUTE_MS);
  await start();
  expect(await eventsOf(workflow)).toHaveLength(1);
});

test('without a schedule there is nothing to wait for, and with one until its next time', async () => {
  expect(await start()).toBeUndefined();
  await schedule({ nextAt: null });
  await schedule({ nextAt: new Date(Date.now() + 10 * MINUTE_MS) });
  expect(await start()).toBeUndefined();
  await schedule({ nextAt: new Date(Date.now() + 5000) });
  const inMs = await start();
  expect(inMs).toBeGreaterThan(0);
  expect(inMs).toBeLessThanOrEqual(5000);
});

test('workers that start it at the same time start it once, and more than fit into a batch all start', async () => {
  const nextAt = minutesAgo(0);
  const all: InsertedWorkflow[] = [];
  for (let count = 0; count < 120; count += 1) all.push(await schedule({ nextAt, cron: '0 0 1 1 *' }));
  await Promise.all([start(), start(), start(), start()]);
  const events = await Promise.all(all.map(eventsOf));
  expect(events.map((each) => each.length)).toEqual(all.map(() => 1));
});

test('a worker that ends before its commit wrote nothing: another one starts it', async () => {
  const nextAt = minutesAgo(0);
  const workflow = await schedule({ nextAt });
  const dying: Pick<Pool, 'connect' | 'query'> = {
    query: pool.query.bind(pool),
    connect: (async () => {
      const client = await pool.connect();
      return new Proxy(client, {
        get(target, name) {
          const value = Reflect.get(target, name) as unknown;
          if (name !== 'query') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
          return (query: unknown, ...more: unknown[]) =>
            query === 'commit'
              ? Promise.reject(new Error('The process was killed.'))
              : (target.query as (...all: unknown[]) => unknown)(query, ...more);
        },
      });
    }) as Pool['connect'],
  };
  await expect(startDue(dying as Pool, () => undefined)).rejects.toThrow('killed');
  expect(await eventsOf(workflow)).toEqual([]);
  expect(await nextOf(workflow)).toEqual(nextAt);
  await start();
  expect(await eventsOf(workflow)).toHaveLength(1);
});

test('several missed times start it once, late, for the latest of them', async () => {
  const nextAt = minutesAgo(24 * 60);
  const workflow = await schedule({ nextAt, cron: '0 * * * *' });
  // A minute after the hour the latest time is not late, but the earlier ones are still missed.
  const isLate = new Date().getMinutes() > 1;
  await start();
  const [event, ...more] = await eventsOf(workflow);
  expect(more).toEqual([]);
  const latest = new Date();
  latest.setUTCMinutes(0, 0, 0);
  expect(event?.tick).toMatchObject({
    scheduled_at: latest.toISOString(),
    missed_since: nextAt.toISOString(),
    ...(isLate ? { is_late: true } : {}),
  });
});

test('one missed time is late, and nothing was missed before it', async () => {
  const nextAt = minutesAgo(24 * 60);
  const workflow = await schedule({ nextAt, cron: yearly(nextAt) });
  await start();
  expect((await eventsOf(workflow)).map(({ tick }) => tick)).toMatchObject([
    { scheduled_at: nextAt.toISOString(), is_late: true, missed_since: null },
  ]);
  expect(Number(await nextOf(workflow))).toBeGreaterThan(Date.now());
});

test('missed times are left out where the workflow wants that', async () => {
  const nextAt = minutesAgo(24 * 60);
  const workflow = await schedule({ nextAt, cron: yearly(nextAt), whenMissed: 'skip' });
  await start();
  expect(await eventsOf(workflow)).toEqual([]);
  expect(Number(await nextOf(workflow))).toBeGreaterThan(Date.now());
  const recent = await schedule({ nextAt, cron: '* * * * *', whenMissed: 'skip' });
  await start();
  expect((await eventsOf(recent)).map(({ tick }) => tick)).toMatchObject([
    { is_late: false, missed_since: null },
  ]);
});

/** A day and time once a year. */
const yearly = (at: Date): string =>
  `${at.getUTCMinutes()} ${at.getUTCHours()} ${at.getUTCDate()} ${at.getUTCMonth() + 1} *`;

test('it follows the zone of its workspace, or has its own', async () => {
  const nextAt = minutesAgo(0);
  const following = await schedule({ nextAt });
  const own = await schedule({ nextAt, zone: 'Asia/Kolkata' });
  for (const { workspaceId } of [following, own])
    await pool.query(
      `insert into workspace_times (workspace_id, zone, hours, holidays) values ($1, 'America/New_York', '{}', '{}')`,
      [workspaceId],
    );
  await start();
  expect((await eventsOf(following))[0]?.tick.zone).toBe('America/New_York');
  expect((await eventsOf(own))[0]?.tick.zone).toBe('Asia/Kolkata');
});

test('a new zone of the workspace moves what follows it, but not what is due', async () => {
  const later = new Date('2999-01-01T09:00:00Z');
  const due = minutesAgo(0);
  const workflow = await schedule({ cron: '0 9 1 1 *', nextAt: later });
  const others = [
    await schedule({ nextAt: later, zone: 'UTC' }),
    await schedule({ nextAt: due }),
    await schedule({ nextAt: null }),
  ];
  for (const { workspaceId } of [workflow, ...others]) {
    await pool.query(
      `insert into workspace_times (workspace_id, zone, hours, holidays) values ($1, 'Asia/Kolkata', '{}', '{}')`,
      [workspaceId],
    );
    await inTransaction(pool, (client) => followZone(client, workspaceId));
  }
  const next = await nextOf(workflow);
  expect(next?.toISOString()).toMatch(/-01-01T03:30:00\.000Z$/);
  expect(await Promise.all(others.map(nextOf))).toEqual([later, due, null]);
});

test('runs of a workflow that holds its runs wait at its gate', async () => {
  const workflow = await schedule({ nextAt: minutesAgo(0) });
  const hold = 'update workflows set active = false, holds_runs = true where id = $1';
  await pool.query(hold, [workflow.workflowId]);
  await start();
  expect(await eventsOf(workflow)).toMatchObject([{ outcome: 'triggered' }]);
  const { rows } = await pool.query('select is_through from run_gates where workflow_id = $1', [
    workflow.workflowId,
  ]);
  expect(rows).toEqual([{ is_through: false }]);
});

test('one whose next time cannot be computed stops, and holds up no other', async () => {
  const broken = await schedule({ nextAt: minutesAgo(2), zone: 'Europe/Atlantis' });
  const fine = await schedule({ nextAt: minutesAgo(0) });
  await start();
  expect(reported).toEqual([broken.workflowId]);
  expect(await nextOf(broken)).toBeNull();
  expect(await eventsOf(fine)).toHaveLength(1);
});
