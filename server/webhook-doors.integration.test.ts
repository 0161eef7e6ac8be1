// Every row of docs/webhooks.md's table that refuses a request, through both doors: the plain Node one and Next's route handlers.
import { connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import {
  bases,
  chain,
  countEvents,
  db,
  DOORS,
  errorCode,
  eventOf,
  expectCommonHeaders,
  json,
  LIMIT,
  MEGABYTE,
  send,
  setUpDoors,
  trigger,
} from './testing/webhook-doors.ts';

setUpDoors();

describe.each(DOORS)('webhook door: %s (docs/webhooks.md)', (door) => {
  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])(
    '%s is refused with 405, Allow: POST and no event',
    async (method) => {
      const { token, workflowId } = await insertWorkflow(db.$client, chain(trigger()));
      for (const path of [`/webhook/${token}`, `/webhook-test/${token}`, '/webhook/unknown']) {
        const answer = await send(door, path, { method });
        expect(answer.status).toBe(405);
        expect(answer.headers.allow).toBe('POST');
        expectCommonHeaders(answer);
        if (method !== 'HEAD') expect(errorCode(answer)).toBe('method_not_allowed');
      }
      expect(await countEvents(workflowId)).toBe(0);
    },
  );

  it('an unknown token is 404 unknown_webhook, before anything is said about the body', async () => {
    const answer = await send(door, '/webhook/not-a-token', {
      headers: { 'content-type': 'text/plain' },
      body: 'x',
    });
    expect([answer.status, errorCode(answer)]).toEqual([404, 'unknown_webhook']);
    expectCommonHeaders(answer);
    expect(answer.headers['x-event-id']).toBeUndefined();
  });

  it.each([
    ['text/plain', {}],
    ['application/x-www-form-urlencoded', {}],
    ['application/json', { 'content-encoding': 'gzip' }],
  ])('Content-Type %s %o is 415 with a rejected event', async (type, more) => {
    const { token } = await insertWorkflow(db.$client, chain(trigger()));
    const answer = await send(door, `/webhook/${token}`, {
      headers: { 'content-type': type, ...more },
      body: '{"a":1}',
    });
    expect([answer.status, errorCode(answer)]).toEqual([415, 'unsupported_media_type']);
    expect(await eventOf(answer)).toMatchObject({ outcome: 'rejected', run_id: null });
    expectCommonHeaders(answer);
  });

  it.each(['application/json; charset=utf-8', 'application/vnd.example+json', 'APPLICATION/JSON', undefined])(
    'Content-Type %s is accepted',
    async (type) => {
      const { token } = await insertWorkflow(db.$client, chain(trigger()));
      const answer = await send(door, `/webhook/${token}`, {
        headers: type ? { 'content-type': type } : {},
        body: '{"a":1}',
      });
      expect(answer.status).toBe(200);
    },
  );

  it('invalid JSON is 400 invalid_json, says where, and keeps the first 64 KB', async () => {
    const { token } = await insertWorkflow(db.$client, chain(trigger()));
    const answer = await send(door, `/webhook/${token}`, { headers: json, body: '{\n  "a": }' });
    expect([answer.status, errorCode(answer)]).toEqual([400, 'invalid_json']);
    expect(answer.body).toMatch(/line 2, column 8/);
    expect((await eventOf(answer))?.body?.toString()).toBe('{\n  "a": }');
    const long = await send(door, `/webhook/${token}`, { headers: json, body: `[${'1,'.repeat(100_000)}` });
    expect((await eventOf(long))?.body?.byteLength).toBe(65_536);
  });

  it('JSON nested deeper than 200 is 400 invalid_json; 200 deep is accepted', async () => {
    const { token } = await insertWorkflow(db.$client, chain(trigger()));
    const nested = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect((await send(door, `/webhook/${token}`, { headers: json, body: nested(200) })).status).toBe(200);
    const answer = await send(door, `/webhook/${token}`, { headers: json, body: nested(201) });
    expect([answer.status, errorCode(answer)]).toEqual([400, 'invalid_json']);
  });

  it.each(['[1]', '"text"', '12', 'true', 'null', '12345678901234567890'])(
    '%s is 400 body_not_object',
    async (body) => {
      const { token } = await insertWorkflow(db.$client, chain(trigger()));
      const answer = await send(door, `/webhook/${token}`, { headers: json, body });
      expect([answer.status, errorCode(answer)]).toEqual([400, 'body_not_object']);
      expect(await eventOf(answer)).toMatchObject({ outcome: 'rejected' });
    },
  );

  describe.each(['with Content-Length', 'chunked'])('limit (spec: Limits 1), %s', (how) => {
    const bodyOf = (bytes: number): Buffer => {
      const start = '{"a":"';
      return Buffer.from(`${start}${'x'.repeat(bytes - start.length - 2)}"}`);
    };
    it.each([
      [LIMIT - 1, 200],
      [LIMIT, 200],
      [LIMIT + 1, 413],
    ])('a body of %i bytes is answered with %i', async (bytes, status) => {
      const { token } = await insertWorkflow(db.$client, chain(trigger()));
      const answer = await send(door, `/webhook/${token}`, {
        headers: json,
        body: bodyOf(bytes),
        chunked: how === 'chunked',
      });
      expect(answer.status).toBe(status);
      expect(await eventOf(answer)).toMatchObject(
        status === 200 ? { outcome: 'triggered' } : { outcome: 'rejected', body: null },
      );
      if (status === 413) expect(errorCode(answer)).toBe('body_too_large');
    });
  });

  it('a Content-Length that promises more than is sent is no event and does not stop the server', async () => {
    const { token, workflowId } = await insertWorkflow(db.$client, chain(trigger()));
    const base = bases.get(door);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(base?.port), '127.0.0.1', () => {
        socket.end(
          `POST /webhook/${token} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"a":1}`,
        );
      });
      socket.on('close', () => resolve());
      socket.resume();
    });
    expect((await send(door, `/webhook/${token}`, { headers: json, body: '{}' })).status).toBe(200);
    expect(await countEvents(workflowId)).toBe(1);
  });

  it('a Content-Length over the limit is refused before the body is sent', async () => {
    const { token } = await insertWorkflow(db.$client, chain(trigger()));
    const base = bases.get(door);
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(Number(base?.port), '127.0.0.1', () => {
        socket.write(
          `POST /webhook/${token} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${LIMIT + 1}\r\n\r\n{"a":`,
        );
      });
      socket.on('data', (chunk) => {
        text += chunk.toString();
        if (text.includes('body_too_large')) socket.destroy();
      });
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
  });

  it('over the rate of the workspace is 429 with Retry-After and no event', async () => {
    const { token, workflowId, workspaceId } = await insertWorkflow(db.$client, chain(trigger()));
    await db.$client.query('update workspaces set webhook_rate_per_second = 2 where id = $1', [workspaceId]);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => send(door, `/webhook/${token}`, { headers: json, body: '{}' })),
    );
    const refused = answers.filter((answer) => answer.status !== 200);
    expect(refused.length).toBeGreaterThanOrEqual(8);
    for (const answer of refused) {
      expect([answer.status, errorCode(answer), answer.headers['retry-after']]).toEqual([
        429,
        'rate_limited',
        '1',
      ]);
    }
    expect(await countEvents(workflowId)).toBe(answers.length - refused.length);
  });

  it('more bytes in flight than the server holds is 503 with Retry-After and no event, until they are gone', async () => {
    const { token, workflowId } = await insertWorkflow(db.$client, chain(trigger()));
    const body = Buffer.from(`{"a":"${'x'.repeat(9 * MEGABYTE)}"}`);
    const head = `POST /webhook/${token} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const hold = () =>
      Promise.all(
        [1, 2].map(async () => {
          const socket = connect(Number(bases.get(door)?.port), '127.0.0.1');
          socket.on('error', () => undefined);
          socket.write(head);
          await new Promise((resolve) => socket.write(body.subarray(0, -1), resolve));
          return socket;
        }),
      );
    const post = () => send(door, `/webhook/${token}`, { headers: json, body });
    // The request that exceeds the limit is refused, which may be a held body: then both are held again.
    const held = await vi.waitFor(
      async () => {
        const sockets = await hold();
        const answer = await post();
        if (answer.status !== 503) for (const socket of sockets) socket.destroy();
        expect([answer.status, errorCode(answer), answer.headers['retry-after']]).toEqual([
          503,
          'overloaded',
          '1',
        ]);
        return sockets;
      },
      { interval: 50 },
    );
    const kept = await countEvents(workflowId);
    for (const socket of held) socket.destroy();
    await vi.waitFor(async () => expect((await post()).status).toBe(200), { interval: 50 });
    expect(await countEvents(workflowId)).toBe(kept + 1);
  });

  it('a production URL of a workflow that is not published, or paused, is 409 and the event is kept', async () => {
    for (const change of ['published_version = null', 'active = false']) {
      const { token, workflowId } = await insertWorkflow(db.$client, chain(trigger()));
      await db.$client.query(`update workflows set ${change} where id = $1`, [workflowId]);
      const answer = await send(door, `/webhook/${token}`, { headers: json, body: '{"a":1}' });
      expect([answer.status, errorCode(answer)]).toEqual([409, 'workflow_not_active']);
      expect(await eventOf(answer)).toMatchObject({ outcome: 'not_active', run_id: null });
      expect((await eventOf(answer))?.body?.toString()).toBe('{"a":1}');
    }
  });

  it('pausing and publishing are obeyed on the next request', async () => {
    const { token, workflowId } = await insertWorkflow(db.$client, chain(trigger()));
    const post = async (): Promise<number> =>
      (await send(door, `/webhook/${token}`, { headers: json, body: '{}' })).status;
    expect(await post()).toBe(200);
    await db.$client.query('update workflows set active = false where id = $1', [workflowId]);
    expect(await post()).toBe(409);
    await db.$client.query('update workflows set active = true where id = $1', [workflowId]);
    expect(await post()).toBe(200);
    await db.$client.query(`update webhook_tokens set expires_at = now() where workflow_id = $1`, [
      workflowId,
    ]);
    expect(await post()).toBe(404);
  });
});
