import { expect, test, vi } from 'vitest';
import type { Product } from './product.ts';
import { Traffic } from './traffic.ts';

/** A workflow whose webhooks get no response: port 9 discards data, if anything listens there. */
const WORKFLOW = { id: 'w1', webhook: { production_url: 'http://127.0.0.1:9/webhook/none' } };

/** @param write the platform's handling of a customer's message */
async function prepare(write: () => Promise<object>): Promise<Traffic> {
  const calls = {
    api: async () => WORKFLOW,
    control: (_: string, path: string) => (path === 'customer-messages' ? write() : Promise.resolve({})),
  };
  return Traffic.prepare({ calls } as unknown as Product);
}

test('a customer’s message whose connection breaks is not expected anywhere, and the load continues', async () => {
  const write = vi.fn<() => Promise<object>>(() => Promise.reject(new TypeError('fetch failed')));
  const traffic = await prepare(write);
  traffic.start();
  await vi.waitFor(() => expect(write.mock.calls.length).toBeGreaterThanOrEqual(3), 10_000);
  write.mockResolvedValue({});
  await vi.waitFor(() => expect(traffic.written.length).toBeGreaterThan(0), 10_000);
  await traffic.stop();
  expect(traffic.written).not.toContain('M-5');
});
