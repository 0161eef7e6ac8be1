import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import { newWorkspaceTimeSchema } from '#lib/identity/schema/time-types.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { rememberAttributes } from '#lib/messaging/attributes/attributes.ts';
import { setWorkspaceTime } from '#lib/messaging/consent/consent-settings.ts';
import { createScope } from '#lib/variables/scope.ts';
import { renderSetting } from './evaluate-setting.ts';
import { instantTasks } from './instant-tasks.ts';
import { asksCustomerZone, scopeInZone } from './with-customer-zone.ts';

let world: TestContext;
beforeAll(async () => {
  world = await createTestContext();
  await setWorkspaceTime(world.ctx, newWorkspaceTimeSchema.parse({ zone: 'America/New_York' }));
});
afterAll(() => world.end());

const TEXT =
  '{{date $now "HH:mm" zone="customer"}} {{date $now "HH:mm" zone="workspace"}} {{date $now "HH:mm"}}';
const NOW = new Date('2026-11-26T22:00:00Z');

async function write(recipient: string | undefined): Promise<string> {
  const { db, workspaceId } = world.ctx;
  const scope = createScope({ tasks: () => undefined, now: () => NOW, zone: 'America/New_York' });
  const task = { settings: { TEXT, recipient }, scope, workspaceId, runId: newId(), now: NOW };
  return renderSetting(TEXT, await scopeInZone(db, { recipientOf: () => recipient }, task), 'none');
}

test.each([
  ['of the country of the recipient', '4915112345678', '23:00 17:00 22:00'],
  ['of the recipient’s user ID', 'IN.1349abc', '03:30 17:00 22:00'],
  ['of the workspace, where the country has several', '15550101002', '17:00 17:00 22:00'],
  ['of the workspace, for no customer', undefined, '17:00 17:00 22:00'],
  ['of the workspace, for a recipient that the task refuses', 'nobody', '17:00 17:00 22:00'],
])('the zone is that %s', async (_, recipient, written) => {
  expect(await write(recipient)).toBe(written);
});

test('the zone is that of the attribute before that of the number', async () => {
  const { db, workspaceId } = world.ctx;
  const client = await db.$client.connect();
  const writes = [{ attribute: 'time_zone', type: 'text' as const, value: 'Asia/Tokyo' }];
  try {
    await rememberAttributes(client, {
      workspaceId,
      names: ['4915112345679'],
      writes,
      evidence: { kind: 'run', run_id: newId(), task_id: 2 },
    });
  } finally {
    client.release();
  }
  expect(await write('4915112345679')).toBe('07:00 17:00 22:00');
});

test.each([
  ['{{date $now zone="customer"}}', true],
  ["{{date $now zone = 'customer'}}", true],
  ['{{date $now zone="workspace"}}', false],
  ['The customer of the zone', false],
])('only texts that name it are left to a worker: %s', (text, asks) => {
  const settings = { values: [{ name: 'at', value: text }] };
  expect(asksCustomerZone(settings)).toBe(asks);
  expect(instantTasks.isInstant({ id: 2, name: 'Set', type: 'set_variables', settings })).toBe(!asks);
});
