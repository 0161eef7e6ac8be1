import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Trigger } from '#lib/webhooks/trigger-settings.ts';
import type { ObjectBody, ParsedBody } from '../object-body.ts';
import { type BodyThread, createBodyThread } from './client.ts';

const PROGRAM = new URL('../../../server/body-thread.ts', import.meta.url);
const MEGABYTE = 1024 * 1024;
/** Millions of empty objects: which takes longest to parse. */
const DENSE = sharedBytes(`{"name":"Ann","list":[${'{},'.repeat(MEGABYTE)}1]}`);

const trigger = (settings: Partial<Trigger['settings']> = {}): Trigger => ({
  taskId: 1,
  settings: {
    response_type: 'immediate',
    response_body: '{{name}}',
    response_format: 'text',
    redirect_url: '',
    deduplicate_by: 'none',
    duplicate_while_running: 'wait',
    ...settings,
  },
});
const received = { headers: {}, receivedAt: new Date(0) };

const threads: BodyThread[] = [];
const openThread = (program = PROGRAM): BodyThread => {
  const thread = createBodyThread(program);
  threads.push(thread);
  return thread;
};
afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.close();
});

function sharedBytes(text: string): Buffer {
  const bytes = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text)));
  bytes.write(text);
  return bytes;
}

/** Makes the thread keep a body until the work has ended. */
async function use<Result>(
  thread: BodyThread,
  bytes: Buffer,
  work: (parsed: ParsedBody) => Promise<Result>,
): Promise<Result> {
  await using held = new AsyncDisposableStack();
  return await work(await thread.open(bytes, held));
}

function objectOf(parsed: ParsedBody): ObjectBody {
  if ('refusal' in parsed) throw parsed.refusal;
  return parsed.object;
}

describe('the thread of large bodies', () => {
  it('does not end while it holds a body, however many ended together before', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const thread = openThread();
      const bytes = sharedBytes('{"name":"Ann"}');
      await Promise.all([1, 2, 3].map(() => use(thread, bytes, async () => undefined)));
      const answer = await use(thread, bytes, async (parsed) => {
        vi.advanceTimersByTime(60_000);
        return objectOf(parsed).prepareResponse(trigger(), received);
      });
      expect(answer).toMatchObject({ body: 'Ann' });
    } finally {
      vi.useRealTimers();
    }
  });

  it('renders what this thread would', async () => {
    const results = await use(openThread(), sharedBytes('{"name":"Ann","n":1.10}'), async (parsed) => [
      await objectOf(parsed).prepareResponse(trigger(), received),
      await objectOf(parsed).prepareResponse(
        trigger({ response_type: 'redirect', redirect_url: '{{name}}' }),
        received,
      ),
      await objectOf(parsed).describe('event', 7),
    ]);
    expect(results).toMatchObject([
      { kind: 'body', status: 200, contentType: 'text/plain; charset=utf-8', body: 'Ann' },
      { kind: 'failed', error: { name: 'AppError', code: 'invalid_redirect' } },
      expect.stringMatching(/^\{"event_id":"event","task_id":7,.*"task_7_n":1.10/),
    ]);
  });

  it('says why a body is refused', async () => {
    const thread = openThread();
    const refusalOf = (text: string) =>
      use(
        thread,
        sharedBytes(text),
        async (parsed) => 'refusal' in parsed && [parsed.refusal.code, parsed.refusal.message],
      );
    expect(await refusalOf('[1]')).toEqual(['body_not_object', expect.stringContaining('an array')]);
    expect(await refusalOf('{"a":\n}')).toEqual([
      'invalid_json',
      expect.stringContaining('line 2, column 1'),
    ]);
  });

  it('leaves this thread free while it parses', async () => {
    const thread = openThread();
    await use(thread, sharedBytes('{}'), async () => undefined);
    let turns = 0;
    const interval = setInterval(() => (turns += 1), 1);
    const response = await use(thread, DENSE, async (parsed) =>
      objectOf(parsed).prepareResponse(trigger(), received),
    );
    clearInterval(interval);
    expect(response).toMatchObject({ body: 'Ann' });
    // Parsed in this thread, none would pass in the meantime.
    expect(turns).toBeGreaterThan(10);
  });

  it('fails the bodies that it holds when it ends, and starts again with the next', async () => {
    const thread = openThread(new URL('data:text/javascript,setTimeout(()=>process.exit(3),10)'));
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(use(thread, sharedBytes('{}'), async () => undefined)).rejects.toThrow(
        'ended with code 3',
      );
  });
});
