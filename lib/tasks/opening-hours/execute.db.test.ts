import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import type { TaskResult } from '#lib/engine/task-executor.ts';
import { newWorkspaceTimeSchema } from '#lib/identity/schema/time-types.ts';
import { createTestContext } from '#lib/identity/testing/test-context.ts';
import { setWorkspaceTime } from '#lib/messaging/consent/consent-settings.ts';
import { recordSent } from '#lib/messaging/sending/record-sent.ts';
import { checkSettings } from '#lib/tasks/check-settings.ts';
import { ifCondition } from '#lib/tasks/if-condition/definition.ts';
import { createIfConditionExecutor } from '#lib/tasks/if-condition/execute.ts';
import { instantTasks } from '#lib/tasks/instant-tasks.ts';
import { taskContext } from '#lib/tasks/testing/task-context.ts';
import { openingHours } from './definition.ts';
import { createOpeningHoursExecutor } from './execute.ts';

let world: Awaited<ReturnType<typeof createTestContext>>;
beforeAll(async () => {
  world = await createTestContext();
});
afterAll(() => world.end());

const SHOP = {
  zone: 'Europe/Berlin',
  hours: { Shop: { thursday: [{ from: '09:00', to: '12:30' }], monday: [{ from: '18:00', to: '02:00' }] } },
};
const setTime = (time: object) => setWorkspaceTime(world.ctx, newWorkspaceTimeSchema.parse(time));

/** At 13:00 in Berlin, on a Thursday. */
const NOON = new Date('2030-01-31T12:00:00.000Z');

const execute = async (
  settings: object,
  { now = NOON, body = {}, runId = newId() } = {},
): Promise<TaskResult> =>
  createOpeningHoursExecutor(async () => world.ctx).execute({
    ...taskContext(openingHours, settings, { body }),
    workspaceId: world.ctx.workspaceId,
    runId,
    now,
  });

describe('if_open', () => {
  test('takes the exit of the only calendar', async () => {
    await setTime(SHOP);
    expect(await execute({ action: 'if_open' }, { now: new Date('2030-01-31T11:00:00Z') })).toEqual({
      kind: 'done',
      output: { action: 'if_open', open: true },
      runText: 'Open.',
      branch: 'open',
    });
    expect(await execute({ action: 'if_open' })).toEqual({
      kind: 'done',
      output: { action: 'if_open', open: false, until: '2030-02-04T17:00:00.000Z' },
      runText: 'Closed. Opens at 2030-02-04T17:00:00.000Z.',
      branch: 'closed',
    });
  });

  test('is closed on a holiday', async () => {
    await setTime({ ...SHOP, holidays: { Shop: ['2030-01-31'] } });
    const result = await execute({ action: 'if_open' }, { now: new Date('2030-01-31T11:00:00Z') });
    expect(result).toMatchObject({ branch: 'closed' });
  });

  test.each([
    [{ zone: 'UTC' }, '', /no opening hours/],
    [{ zone: 'UTC', hours: { A: {}, B: {} } }, '', /one of them: “A”, “B”/],
    [SHOP, '{{task_1_name}}', /no calendar “Office”. Settings → Time has “Shop”/],
  ])('%j with the calendar %j says what to do', async (time, calendar, message) => {
    await setTime(time);
    const error = await execute({ calendar }, { body: { name: 'Office' } }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({
      code: 'invalid_calendar',
      message: expect.stringMatching(message) as string,
    });
  });
});

describe('a delay', () => {
  const untilOf = async (settings: object, more?: Parameters<typeof execute>[1]): Promise<string> => {
    const result = await execute(settings, more);
    return result.kind === 'wait' ? result.until.toISOString() : result.kind;
  };

  test('lasts until the next opening, and is over at once while it is open', async () => {
    await setTime(SHOP);
    const settings = { action: 'delay_until_open', calendar: 'Shop' };
    expect(await untilOf(settings)).toBe('2030-02-04T17:00:00.000Z');
    const now = new Date('2030-02-05T00:30:00Z');
    expect(await untilOf(settings, { now })).toBe(now.toISOString());
  });

  test('for a calendar that never opens fails', async () => {
    await setTime({ zone: 'UTC', hours: { Shop: {} } });
    await expect(execute({ action: 'delay_until_open' })).rejects.toThrow(/does not open within a year/);
  });

  test.each([
    [{ time: '09:00' }, '2030-02-01T08:00:00.000Z'],
    [{ time: '13:30' }, '2030-01-31T12:30:00.000Z'],
    [{ time: '13:30', day: 'tomorrow' }, '2030-02-01T12:30:00.000Z'],
    [{ time: '{{task_1_time}}', day: 'saturday' }, '2030-02-02T08:15:00.000Z'],
    [{ time: '13:00', day: 'workday' }, '2030-02-01T12:00:00.000Z'],
    [{ time: '9:00', time_zone: '{{task_1_zone}}' }, '2030-01-31T14:00:00.000Z'],
  ])('until %j lasts until %s', async (settings, until) => {
    await setTime(SHOP);
    const body = { time: '9:15', zone: 'America/New_York' };
    expect(await untilOf({ action: 'delay_until_time', ...settings }, { body })).toBe(until);
  });

  test('until 9:00 where the customer is, whom the run is about; without one, in the zone of the workspace', async () => {
    await setTime(SHOP);
    const { db, workspaceId } = world.ctx;
    const [runId, customer] = [newId(), '819012345678'];
    await db.$client.query(
      `insert into customer_names (workspace_id, name, customer_id, business_account_id) values ($1, $2, $3, '')`,
      [workspaceId, customer, newId()],
    );
    await recordSent(world.ctx, {
      messageId: 'wamid.zone',
      connectionId: newId(),
      phoneNumberId: '106540352242922',
      recipient: customer,
      kind: 'text',
      taskRun: { runId, workflowId: newId(), taskId: 2, iteration: '' },
    });
    const settings = { action: 'delay_until_time', time: '09:00', time_zone: 'customer' };
    expect(await untilOf(settings, { runId })).toBe('2030-02-01T00:00:00.000Z');
    expect(await untilOf(settings)).toBe('2030-02-01T08:00:00.000Z');
  });

  test.each([
    [{ time: '{{task_1_x}}' }, /"soon" isn’t a time from 00:00 to 23:59/],
    [{ time: '09:00', time_zone: '{{task_1_x}}' }, /"soon" isn’t a time zone such as Europe\/Berlin/],
  ])('until %j fails where a variable is wrong', async (settings, message) => {
    await setTime(SHOP);
    await expect(
      execute({ action: 'delay_until_time', ...settings }, { body: { x: 'soon' } }),
    ).rejects.toThrow(message);
  });
});

test.each([
  [{ action: 'delay_until_time' }, 'time', 'Enter a time.'],
  [{ action: 'delay_until_time', time: '24:00' }, 'time', /isn’t a time/],
  [{ action: 'delay_until_time', time: '09:00', time_zone: 'Berlin' }, 'time_zone', /isn’t a time zone/],
])('%j cannot be published', (settings, path, message) => {
  expect(checkSettings(openingHours, settings, 'publish').problems).toMatchObject([
    { path: expect.stringContaining(path) as string, message: expect.stringMatching(message) as string },
  ]);
});

describe('a condition on opening hours', () => {
  const decide = async (conditions: object[], now = NOON, body = {}) => {
    await setTime({ ...SHOP, hours: { ...SHOP.hours, Office: {} } });
    const result = await createIfConditionExecutor(async () => world.ctx).execute({
      ...taskContext(ifCondition, { conditions }, { body }),
      workspaceId: world.ctx.workspaceId,
      now,
    });
    return result.kind === 'done' && result.branch;
  };
  const OPEN_AT = new Date('2030-01-31T11:00:00Z');

  test.each([
    ['', 'is_open', 'Shop', OPEN_AT, 'true'],
    ['', 'is_closed', 'Shop', OPEN_AT, 'false'],
    ['', 'is_open', 'Shop', NOON, 'false'],
    ['', 'is_closed', '{{task_1_calendar}}', NOON, 'true'],
    ['{{task_1_at}}', 'is_open', 'Shop', NOON, 'true'],
    ['{{task_1_at}}', 'is_open', 'Office', NOON, 'false'],
    // Nothing is neither.
    ['{{task_1_missing}}', 'is_open', 'Shop', OPEN_AT, 'false'],
    ['{{task_1_missing}}', 'is_closed', 'Shop', OPEN_AT, 'false'],
  ])('%j %s of %s at %s: %s', async (left, operator, calendar, now, branch) => {
    const body = { at: '2030-01-31T12:29:00+01:00', calendar: 'Shop' };
    expect(await decide([{ left, operator, calendar }], now, body)).toBe(branch);
  });

  test('stands beside others, and is executed by a worker, not with the webhook', async () => {
    const other = { left: 'a', operator: 'equals', right: 'b' };
    const open = { left: '{{$now}}', operator: 'is_open', calendar: 'Shop' };
    expect(await decide([open, other], OPEN_AT)).toBe('false');
    const task = { id: 2, name: 'If', type: 'if_condition' };
    expect(
      [[other], [other, open]].map((conditions) =>
        instantTasks.isInstant({ ...task, settings: { conditions } }),
      ),
    ).toEqual([true, false]);
  });

  test.each([
    [{ left: 'soon', operator: 'is_open', calendar: 'Shop' }, 'invalid_text', /isn’t a date and time/],
    [{ left: '', operator: 'is_open' }, 'invalid_calendar', /several calendars/],
    [{ left: '', operator: 'is_open', calendar: 'Gone' }, 'invalid_calendar', /no calendar “Gone”/],
  ])('%j fails with %s', async (condition, code, message) => {
    await expect(decide([condition])).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    });
  });
});
