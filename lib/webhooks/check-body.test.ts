import { describe, expect, it } from 'vitest';
import { BytesInFlight } from './body.ts';
import { createBodyWork } from './body-work.ts';
import { createFormUploads } from './forms/stored-form.ts';
import { CalledTrigger } from './called-trigger.ts';
import { type CheckedBody, openBody } from './check-body.ts';
import type { WebhookRequest } from './types.ts';

const MAX_BYTES = 100_000;
const IN_FLIGHT = 200_000;

interface Sent {
  chunks?: (string | Buffer)[];
  headers?: Record<string, string>;
  declaredBytes?: number;
  isAborted?: boolean;
}

function request({ chunks = ['{}'], headers = {}, declaredBytes, isAborted = false }: Sent) {
  let read = 0;
  const sent: WebhookRequest = {
    kind: 'production',
    token: 'token',
    method: 'POST',
    headers,
    declaredBytes,
    async readBody(collect) {
      for (const chunk of chunks) {
        read += 1;
        if (!collect(Buffer.from(chunk))) return false;
      }
      return !isAborted;
    },
  };
  return { sent, chunksRead: () => read };
}

const limits = (inFlight = new BytesInFlight(IN_FLIGHT)) => ({
  maxBodyBytes: MAX_BYTES,
  inFlight,
  bodies: createBodyWork(undefined),
  uploads: createFormUploads(2 * MAX_BYTES, () => Promise.reject(new Error('No form is sent here.'))),
});
const token = { hash: Buffer.from('hash'), workspaceId: 'workspace', workflowId: 'workflow' };
/** Of a trigger that anyone may call with JSON. */
async function use<Result>(
  sent: WebhookRequest,
  inFlight: BytesInFlight | undefined,
  work: (checked: CheckedBody) => Promise<Result>,
): Promise<Result> {
  const tokens = {
    find: async () => ({ ...token, publishedVersion: 1, ratePerSecond: null }),
    forget: () => undefined,
  };
  const deps = { tokens, findCallerRules: () => undefined };
  await using held = new AsyncDisposableStack();
  const trigger = await CalledTrigger.find(sent, deps, new Date());
  return await work(await openBody(sent, limits(inFlight), trigger, held));
}
const check = (sent: Sent, inFlight?: BytesInFlight): Promise<CheckedBody> =>
  use(request(sent).sent, inFlight, async (checked) => checked);
const codeOf = (checked: CheckedBody) => ('refusal' in checked ? checked.refusal.code : 'object');

/** Whether every byte was released. */
const isEmpty = (inFlight: BytesInFlight): boolean => inFlight.tryAdd(IN_FLIGHT, 0);

describe('the checks of a body', () => {
  it.each<[string, Sent, string, number | null]>([
    ['an object', { chunks: ['{"a"', ':1}'] }, 'object', 7],
    ['of the largest size', { chunks: [`{"a":"${'x'.repeat(MAX_BYTES - 8)}"}`] }, 'object', MAX_BYTES],
    ['a byte too large', { chunks: [`{"a":"${'x'.repeat(MAX_BYTES - 7)}"}`] }, 'body_too_large', null],
    ['that grows too large', { chunks: ['x'.repeat(MAX_BYTES), 'x'] }, 'body_too_large', null],
    ['not JSON, of which 64 KB are kept', { chunks: ['x'.repeat(MAX_BYTES)] }, 'invalid_json', 65_536],
    ['no object, which is kept whole', { chunks: [`"${'x'.repeat(80_000)}"`] }, 'body_not_object', 80_002],
    ['empty', { chunks: [] }, 'invalid_json', 0],
  ])('%s', async (_, sent, code, keptBytes) => {
    const checked = await check(sent);
    expect([codeOf(checked), checked.bytes?.byteLength ?? null]).toEqual([code, keptBytes]);
  });

  it.each([
    ['application/json', 'object'],
    ['APPLICATION/JSON; charset=utf-8', 'object'],
    ['application/vnd.shop+json', 'object'],
    ['text/plain', 'unsupported_media_type'],
    ['application/jsonp', 'unsupported_media_type'],
    ['application/x-www-form-urlencoded', 'unsupported_media_type'],
  ])('Content-Type %s', async (type, code) => {
    expect(codeOf(await check({ headers: { 'content-type': type } }))).toBe(code);
  });

  it('Content-Encoding', async () => {
    const codeFor = async (encoding: string) =>
      codeOf(await check({ headers: { 'content-encoding': encoding } }));
    expect([await codeFor('gzip'), await codeFor('Identity')]).toEqual(['unsupported_media_type', 'object']);
  });

  it('come in their order: size, media type, JSON', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect(codeOf(await check({ headers, chunks: ['x'.repeat(MAX_BYTES + 1)] }))).toBe('body_too_large');
    const other = await check({ headers, chunks: ['x'.repeat(MAX_BYTES)] });
    expect([codeOf(other), other.bytes?.byteLength]).toEqual(['unsupported_media_type', 65_536]);
  });

  it('read nothing of a body that is declared too large, whatever it is', async () => {
    const { sent, chunksRead } = request({ declaredBytes: MAX_BYTES + 1 });
    const checked = await use(sent, undefined, async (each) => each);
    expect([codeOf(checked), chunksRead()]).toEqual(['body_too_large', 0]);
  });

  it('do not believe a smaller Content-Length', async () => {
    const large = { declaredBytes: 2, chunks: ['x'.repeat(MAX_BYTES), 'x', 'x'] };
    const { sent, chunksRead } = request(large);
    expect(codeOf(await use(sent, undefined, async (each) => each))).toBe('body_too_large');
    expect(chunksRead()).toBe(2);
  });
});

describe('the bytes in flight of a body', () => {
  it('are held while it is worked with, and not after', async () => {
    const inFlight = new BytesInFlight(IN_FLIGHT);
    await use(request({}).sent, inFlight, async () => {
      expect(inFlight.tryAdd(IN_FLIGHT - 1, 0)).toBe(false);
    });
    expect(isEmpty(inFlight)).toBe(true);
  });

  it.each<[string, Sent, RegExp]>([
    ['the caller goes away', { isAborted: true }, /ended before it was complete/],
    ['the work fails', {}, /the work failed/],
  ])('are given back when %s', async (_, sent, message) => {
    const inFlight = new BytesInFlight(IN_FLIGHT);
    const failing = () => Promise.reject(new Error('the work failed'));
    await expect(use(request(sent).sent, inFlight, failing)).rejects.toThrow(message);
    expect(isEmpty(inFlight)).toBe(true);
  });

  it('are refused when the server holds too many, and those of the refused body given back', async () => {
    const inFlight = new BytesInFlight(IN_FLIGHT);
    inFlight.tryAdd(IN_FLIGHT - 10, 0);
    await expect(check({ chunks: ['{"a":', '"0123456789"}'] }, inFlight)).rejects.toMatchObject({
      code: 'overloaded',
      retryAfterSeconds: 1,
    });
    expect(inFlight.tryAdd(10, 0)).toBe(true);
  });
});
