// A short run of `npm run bench:overload`: checks responses and stored events. Only the full run checks times.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callFor } from './overload/callers.ts';
import { settledMissing } from './overload/play.ts';
import { Target } from './overload/target.ts';
import { flood, openSlowSockets } from './overload/threads.ts';

const root = new URL('..', import.meta.url).pathname;
const order = readFileSync(join(root, 'bench', 'order.json'), 'utf8');
const padded = JSON.stringify({ ...(JSON.parse(order) as object), padding: 'x'.repeat(100_000) });
const RATE_PER_SECOND = 50;
/** Fewer than the flood's bodies take together. */
const MAX_BYTES_IN_FLIGHT = 4_000_000;

let folder: string;
let target: Target;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'patchbay-overload-'));
  chmodSync(folder, 0o711);
  target = await Target.start(folder, {
    ratePerSecond: RATE_PER_SECOND,
    settings: { MAX_BYTES_IN_FLIGHT: String(MAX_BYTES_IN_FLIGHT) },
  });
});
afterAll(async () => {
  await target.end();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  { what: 'webhooks', refusal: 503, to: 'five', sent: { body: padded }, ratePerSecond: 2000 },
  { what: 'webhooks', refusal: 429, to: 'limited', sent: { body: order }, ratePerSecond: 500 },
  { what: 'notifications', refusal: 503, to: 'notifications', sent: { messages: 100 }, ratePerSecond: 500 },
] as const)(
  'a flood of $what is answered by 200 or $refusal, and what was acknowledged is there',
  async (case_) => {
    const { refusal, to, sent, ratePerSecond } = case_;
    const { statuses, unanswered, withoutRetryAfter, ...acknowledged } = await flood({
      url: target.urls[to],
      sent,
      ratePerSecond,
      seconds: 2,
      maxConnections: 1000,
    });
    expect(Object.keys(statuses)).toEqual(['200', String(refusal)]);
    expect({ unanswered, withoutRetryAfter }).toEqual({ unanswered: 0, withoutRetryAfter: 0 });
    expect(acknowledged.eventIds.length + acknowledged.messageIds.length).toBeGreaterThan(10);
    expect(await settledMissing(target, acknowledged)).toBe(0);
    expect(target.isAlive).toBe(true);
  },
);

test('sockets on which next to nothing moves keep nobody from being answered', async () => {
  const slow = await openSlowSockets({ count: 120, echoUrl: target.urls.echo });
  const answered = await callFor(target.urls.five, order, { everyMs: 50, seconds: 2 });
  expect((await slow.close()).open).toBeGreaterThan(60);
  expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([200]));
  expect(answered.length).toBeGreaterThan(20);
  expect(target.isAlive).toBe(true);
});
