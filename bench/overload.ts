// `npm run bench:overload`: five times as many webhooks and notifications as can be answered, and 500 nearly idle sockets (see
// bench/README.md).
// Exits with an error unless everything acknowledged is stored and everything recovers in time.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeMachine } from './machine.ts';
import { onStop } from './on-stop.ts';
import { playOverload, playSlowSockets } from './overload/play.ts';
import { Target } from './overload/target.ts';

const TIMES = 5;
const SECONDS = 15;
const RATE_PER_SECOND = 500;
const PADDING_BYTES = 100_000;
const NORMAL_WITHIN_MS = 30_000;
const SLOW = { sockets: 500, rounds: 5, seconds: 4 };

const root = new URL('..', import.meta.url).pathname;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const order = readFileSync(join(root, 'bench', 'order.json'), 'utf8');
const large = JSON.stringify({ ...(JSON.parse(order) as object), padding: 'x'.repeat(PADDING_BYTES) });

const folder = mkdtempSync(join(tmpdir(), 'patchbay-overload-'));
chmodSync(folder, 0o711);
const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
onStop(removeFolder);
const target = await Target.start(folder, { ratePerSecond: RATE_PER_SECOND, say });
try {
  const slow = await playSlowSockets(target, order, SLOW);
  say(JSON.stringify(slow));
  const { five, limited, notifications } = target.urls;
  const overloads = [];
  for (const overload of [
    { name: 'small bodies', url: five, sent: { body: order } },
    { name: 'bodies of 100 KB', url: five, sent: { body: large } },
    {
      name: 'over the rate of the workspace',
      url: limited,
      sent: { body: order },
      capacityPerSecond: RATE_PER_SECOND,
    },
    { name: 'notifications', url: notifications, sent: { messages: 1 } },
    { name: 'notifications of 100 messages', url: notifications, sent: { messages: 100 } },
  ]) {
    const overloaded = await playOverload(target, { ...overload, times: TIMES, seconds: SECONDS }, order);
    say(JSON.stringify(overloaded));
    overloads.push(overloaded);
  }
  writeFileSync(
    join(root, 'bench', 'results', 'overload.json'),
    `${JSON.stringify({ machine: describeMachine(), slow, overloads }, null, 2)}\n`,
  );
  const isServed = slow.withMs.p50 <= 2 * slow.withoutMs.p50 && slow.refused === 0;
  const isHeld = overloads.every(
    ({ statuses, withoutRetryAfter, unanswered, missing, normalAfterMs, isAlive }) =>
      Object.keys(statuses).every((status) => ['200', '429', '503'].includes(status)) &&
      withoutRetryAfter + unanswered + missing === 0 &&
      normalAfterMs <= NORMAL_WITHIN_MS &&
      isAlive,
  );
  say(isServed && isHeld ? 'All held' : 'NOT ALL HELD');
  process.exitCode = isServed && isHeld ? 0 : 1;
} finally {
  await target.end();
  removeFolder();
}
