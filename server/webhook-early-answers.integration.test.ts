// Responses that are sent while the body still arrives can be read by clients that only read after the last byte.
import { describe, expect, it } from 'vitest';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { type RawAnswer, rawRequest, writeThenRead } from './testing/raw-request.ts';
import {
  addressOf,
  chain,
  db,
  DOORS,
  LIMIT,
  MEGABYTE,
  send,
  setUpDoors,
  trigger,
} from './testing/webhook-doors.ts';

/** Far more than the buffers of a loopback connection. */
const LARGE = Buffer.alloc(LIMIT + MEGABYTE, ' ');
const FITTING = Buffer.from(`{"a":"${'x'.repeat(9 * MEGABYTE)}"}`);
const JSON_TYPE = 'Content-Type: application/json';

setUpDoors();

describe.each(DOORS)('webhook door: %s, answers before the body has arrived', (door) => {
  const sendRaw = (requestLine: string, lines: string[], body: Buffer): Promise<RawAnswer> =>
    writeThenRead(addressOf(door), rawRequest(requestLine, lines, body));

  it.each([
    ['413: over the limit', 'POST', JSON_TYPE, LARGE, 413],
    ['405: another method', 'PUT', JSON_TYPE, LARGE, 405],
    ['405: another method whose body would fit', 'DELETE', JSON_TYPE, FITTING, 405],
    ['415: another type', 'POST', 'Content-Type: text/plain', FITTING, 415],
  ])('%s', async (_what, method, type, body, status) => {
    const { token } = await insertWorkflow(db.$client, chain(trigger()));
    for (let attempt = 0; attempt < 5; attempt++) {
      const answer = await sendRaw(`${method} /webhook/${token} HTTP/1.1`, [type], body);
      expect(answer.status).toBe(status);
    }
  });

  it('413: over the limit in chunks, without a length', async () => {
    const { token } = await insertWorkflow(db.$client, chain(trigger()));
    const chunk = Buffer.concat([
      Buffer.from('100000\r\n'),
      Buffer.alloc(MEGABYTE, ' '),
      Buffer.from('\r\n'),
    ]);
    const head = `POST /webhook/${token} HTTP/1.1\r\nHost: localhost\r\n${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunks = Array.from({ length: 16 }, () => chunk);
    const answer = await writeThenRead(
      addressOf(door),
      Buffer.concat([Buffer.from(head), ...chunks, Buffer.from('0\r\n\r\n')]),
    );
    expect(answer.status).toBe(413);
    expect(answer.head).toMatch(/^connection: close$/im);
  });

  it('404: an unknown token', async () => {
    const answer = await sendRaw('POST /webhook/unknown HTTP/1.1', [JSON_TYPE], LARGE);
    expect([answer.status, answer.body]).toEqual([404, expect.stringContaining('unknown_webhook')]);
  });

  it('503: more bytes in flight than the server holds, for everyone who is refused', async () => {
    const { token } = await insertWorkflow(db.$client, chain(trigger()));
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => sendRaw(`POST /webhook/${token} HTTP/1.1`, [JSON_TYPE], FITTING)),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, head } of refused) {
      expect(status).toBe(503);
      expect(head).toMatch(/^retry-after: 1$/im);
    }
  });

  it('a request that is sent behind a refused one is not processed', async () => {
    const { token, workflowId } = await insertWorkflow(db.$client, chain(trigger()));
    const refused = rawRequest(`PUT /webhook/${token} HTTP/1.1`, [JSON_TYPE], LARGE);
    const behind = rawRequest(`POST /webhook/${token} HTTP/1.1`, [JSON_TYPE], '{}');
    expect((await writeThenRead(addressOf(door), Buffer.concat([refused, behind]))).status).toBe(405);
    expect((await send(door, `/webhook/${token}`, { body: '{}' })).status).toBe(200);
    const { rows } = await db.$client.query('select 1 from events where workflow_id = $1', [workflowId]);
    expect(rows).toHaveLength(1);
  });
});

describe('pages', () => {
  it('a page that refuses a body is answered readably', async () => {
    const line = 'POST /sign-in HTTP/1.1';
    const type = 'Content-Type: multipart/form-data; boundary=x';
    expect((await writeThenRead(addressOf('node'), rawRequest(line, [type], LARGE))).status).toBe(405);
  });
});
