import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { summarizeOutages } from '#lib/core/summarize-outages.ts';

type Line = Record<string, unknown> & { msg: string };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start() {
  const lines: Line[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Line);
      done();
    },
  });
  const logger = pino({ hooks: { logMethod: summarizeOutages({ summaryMs: 1000 }) } }, sink);
  return { logger, messages: () => lines.map(({ msg }) => msg), lines };
}

const refused = (): Error => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

test('the first line has its cause, the next ones are counted, and the last says that it is over', () => {
  const { logger, lines } = start();
  for (let n = 0; n < 1000; n += 1) logger.error({ err: refused() }, 'A request failed');
  expect(lines).toMatchObject([
    { level: 50, msg: 'A request failed', err: { message: 'connect ECONNREFUSED' } },
  ]);
  vi.advanceTimersByTime(1000);
  expect(lines[1]).toMatchObject({
    level: 50,
    msg: 'A request failed (repeated)',
    count: 999,
    cause: 'connect ECONNREFUSED',
  });
  logger.error({ err: refused() }, 'A request failed');
  vi.advanceTimersByTime(3000);
  expect(lines.slice(2)).toMatchObject([
    { level: 50, msg: 'A request failed (repeated)', count: 1 },
    { level: 40, msg: 'A request failed (over)', total: 1001, seconds: 3 },
  ]);
  logger.error({ err: refused() }, 'A request failed');
  expect(lines[4]).toMatchObject({ msg: 'A request failed', err: { message: 'connect ECONNREFUSED' } });
});

test('each message is counted on its own, and a single failure is one line', () => {
  const { logger, messages } = start();
  logger.warn({ err: refused() }, 'The heartbeat failed');
  logger.error({ err: new Error('Failed query', { cause: refused() }) }, 'A request failed');
  logger.error({ err: refused() }, 'A request failed');
  vi.advanceTimersByTime(5000);
  expect(messages()).toEqual([
    'The heartbeat failed',
    'A request failed',
    'A request failed (repeated)',
    'A request failed (over)',
  ]);
});

test('other errors and lines pass, however often they come', () => {
  const { logger, messages } = start();
  for (let n = 0; n < 3; n += 1) {
    logger.error({ err: new Error('A bug') }, 'A request failed');
    logger.info('Started');
  }
  expect(messages()).toHaveLength(6);
});
