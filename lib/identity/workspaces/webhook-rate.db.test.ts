import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAuditEntries } from '#lib/identity/audit/list-audit-entries.ts';
import { getWebhookRate, setWebhookRate } from './workspace-settings.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { webhookRateSchema } from './schema.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.end());

test('the rate is set for the workspace alone, and each change is in its audit log', async () => {
  const { ctx, stranger } = context;
  expect(await getWebhookRate(ctx)).toEqual({ requests_per_second: null });
  await setWebhookRate(ctx, { requests_per_second: 1500 });
  expect(await getWebhookRate(ctx)).toEqual({ requests_per_second: 1500 });
  await setWebhookRate(ctx, { requests_per_second: null });
  expect(await getWebhookRate(ctx)).toEqual({ requests_per_second: null });
  expect(await getWebhookRate(stranger)).toEqual({ requests_per_second: null });
  const { data } = await listAuditEntries(ctx, { limit: 10 });
  expect(data.map(({ action, targetName }) => [action, targetName])).toEqual([
    ['workspace.webhook_rate_changed', 'server default'],
    ['workspace.webhook_rate_changed', '1,500 per second'],
  ]);
  expect((await listAuditEntries(stranger, { limit: 10 })).data).toEqual([]);
});

test.each([0, -1, 1.5, 100_001, Number.NaN, '5', undefined])('%s is no rate', (requests_per_second) => {
  const { error } = webhookRateSchema.safeParse({ requests_per_second });
  expect(error?.issues.map(({ message }) => message)).toEqual(['Enter a whole number from 1 to 100,000.']);
});
