// Every row of design section 2's table, through both doors: the plain Node one and Next's route handlers.
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '#lib/db/client.ts';
import { findFreePort } from '#lib/db/embedded-postgres/data-folder.ts';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { type StartedProcess, startProcess } from '#lib/testing/start-process.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { buildIfNeeded } from './launcher/build.ts';

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

const DOORS = ['node', 'next'] as const;
const MEGABYTE = 1024 * 1024;
const LIMIT = 10 * MEGABYTE;
const root = new URL('..', import.meta.url).pathname;

let database: TestDatabase;
let db: Database;
const processes: StartedProcess[] = [];
const bases = new Map<string, URL>();

beforeAll(async () => {
  await buildIfNeeded(root, () => undefined, new AbortController().signal);
  database = await createTestDatabase();
  db = openDatabase(database.url, { name: 'doors-test' });
  const settings = {
    DATABASE_URL: database.url,
    ANSWER_TIMEOUT_SECONDS: '3',
    MAX_BYTES_IN_FLIGHT: String(24 * MEGABYTE),
  };
  processes.push(await startProcess('server/worker.ts', settings));
  for (const door of DOORS) {
    const port = await findFreePort();
    processes.push(
      await startProcess('server/web.ts', { ...settings, PORT: String(port), WEBHOOK_DOOR: door }),
    );
    bases.set(door, new URL(`http://127.0.0.1:${port}`));
  }
});

afterAll(async () => {
  await Promise.all(processes.map((started) => started.stop()));
  await db.$client.end();
  await database.drop();
});

interface Send {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  chunked?: boolean;
}

function send(
  door: string,
  path: string,
  { method = 'POST', headers = {}, body, chunked = false }: Send = {},
): Promise<Answer> {
  const url = new URL(path, bases.get(door));
  return new Promise((resolve, reject) => {
    const length = body === undefined || chunked ? {} : { 'content-length': Buffer.byteLength(body) };
    const req = request(url, { method, headers: { ...length, ...headers }, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () =>
        resolve({
          status: res.statusCode ?? 0,
          headers: res.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    let answered = false;
    req.on('response', () => (answered = true));
    req.on('error', (error) => {
      if (!answered) reject(error);
    });
    if (chunked && body !== undefined) {
      const bytes = Buffer.from(body);
      for (let at = 0; at < bytes.length; at += 65_536) req.write(bytes.subarray(at, at + 65_536));
      req.end();
    } else {
      req.end(body);
    }
  });
}

const json = { 'content-type': 'application/json' };
const errorCode = (answer: Answer): string =>
  (JSON.parse(answer.body) as { error: { code: string } }).error.code;

const trigger = (settings: Record<string, unknown> = {}): WorkflowTask => ({
  id: 1,
  type: 'inbound_webhook',
  name: 'Order arrives',
  settings: {
    response_type: 'immediate',
    response_body: '{"status":"received"}',
    response_format: 'auto',
    redirect_url: '',
    ...settings,
  },
});
const setTask = (id: number, value: string): WorkflowTask => ({
  id,
  type: 'set_variables',
  name: 'Text',
  settings: { variables: [{ name: 'text', value }] },
});
const failTask = (id: number): WorkflowTask => ({
  id,
  type: 'loop',
  name: 'Fails',
  settings: { items: 'no list', pause_seconds: 0, on_item_failure: 'stop' },
});
const delayTask = (id: number, seconds: number): WorkflowTask => ({
  id,
  type: 'delay',
  name: 'Wait',
  settings: { mode: 'for', amount: seconds, unit: 'seconds', until: '' },
});
const chain = (...tasks: WorkflowTask[]): WorkflowGraph => ({
  tasks,
  edges: tasks.slice(1).map((task, index) => ({ from: tasks[index]?.id ?? 0, to: task.id })),
});

const eventOf = async (answer: Answer) => {
  const id = answer.headers['x-event-id'];
  const { rows } = await db.$client.query<{
    outcome: string;
    reason: string | null;
    kind: string;
    body: Buffer | null;
    run_id: string | null;
  }>('select outcome, reason, kind, body, run_id from events where id = $1', [id]);
  return rows[0];
};

const countEvents = async (workflowId: string): Promise<number> => {
  const { rows } = await db.$client.query<{ count: number }>(
    'select count(*)::int as count from events where workflow_id = $1',
    [workflowId],
  );
  return rows[0]?.count ?? 0;
};

function expectCommonHeaders(answer: Answer): void {
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(String(answer.headers['content-type'] ?? '')).not.toContain('text/html');
}

describe.each(DOORS)('webhook door: %s (design section 2)', (door) => {
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
    // Whoever passes the limit is refused, so a held body may be the one: then both are held anew.
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
      { timeout: 20_000, interval: 50 },
    );
    const kept = await countEvents(workflowId);
    for (const socket of held) socket.destroy();
    await vi.waitFor(async () => expect((await post()).status).toBe(200), { timeout: 10_000, interval: 50 });
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

  it('the test URL answers with the trigger output as child tasks see it, whatever the state, and runs nothing', async () => {
    const { token, workflowId } = await insertWorkflow(db.$client, chain(trigger(), setTask(2, 'x')));
    await db.$client.query('update workflows set published_version = null, active = false where id = $1', [
      workflowId,
    ]);
    const body = '{"customer":{"name":"Sample"},"items":[{"name":"Mat"}],"big":12345678901234567890}';
    const answer = await send(door, `/webhook-test/${token}`, { headers: json, body });
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('"task_1_big":12345678901234567890');
    expect(JSON.parse(answer.body)).toMatchObject({
      event_id: answer.headers['x-event-id'],
      task_id: 1,
      variables: {
        task_1_customer: { name: 'Sample' },
        task_1_customer_name: 'Sample',
        task_1_items: [{ name: 'Mat' }],
        task_1_items_0_name: 'Mat',
        task_1_run: true,
        task_1_run_text: 'Inbound data was received and processed successfully.',
      },
    });
    expect(await eventOf(answer)).toMatchObject({ outcome: 'tested', kind: 'test', run_id: null });
  });

  it('immediate: 200 with the rendered body, after event, run and job are committed', async () => {
    const body = '{"status":"ok","name":"{{customer.name}}","n":{{missing}},"at":"{{$now}}"}';
    const { token } = await insertWorkflow(
      db.$client,
      chain(trigger({ response_body: body }), setTask(2, 'x')),
    );
    const answer = await send(door, `/webhook/${token}`, {
      headers: json,
      body: '{"customer":{"name":"A \\"quoted\\" name"}}',
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(JSON.parse(answer.body)).toMatchObject({ status: 'ok', name: 'A "quoted" name', n: null });
    const event = await eventOf(answer);
    expect(event).toMatchObject({ outcome: 'triggered' });
    const { rows } = await db.$client.query('select event_id from runs where id = $1', [event?.run_id]);
    expect(rows).toEqual([{ event_id: answer.headers['x-event-id'] }]);
    expectCommonHeaders(answer);
  });

  it.each([
    ['<ok>{{name}}</ok>', 'application/xml', '<ok>&lt;b&gt;</ok>'],
    ['Hello {{name}}', 'text/plain; charset=utf-8', 'Hello <b>'],
  ])('immediate: %s is answered as %s', async (response_body, type, expected) => {
    const { token } = await insertWorkflow(db.$client, chain(trigger({ response_body })));
    const answer = await send(door, `/webhook/${token}`, { headers: json, body: '{"name":"<b>"}' });
    expect([answer.headers['content-type'], answer.body]).toEqual([type, expected]);
  });

  it('redirect: 302 with variables percent-encoded, except where the whole URL is one', async () => {
    const redirect = (redirect_url: string): WorkflowGraph =>
      chain(trigger({ response_type: 'redirect', redirect_url }));
    const encoded = await insertWorkflow(db.$client, redirect('https://example.com/thanks?name={{name}}'));
    const answer = await send(door, `/webhook/${encoded.token}`, { headers: json, body: '{"name":"a&b c"}' });
    expect([answer.status, answer.headers.location]).toEqual([
      302,
      'https://example.com/thanks?name=a%26b%20c',
    ]);
    expect(await eventOf(answer)).toMatchObject({ outcome: 'triggered' });
    const whole = await insertWorkflow(db.$client, redirect('{{next}}'));
    const there = await send(door, `/webhook/${whole.token}`, {
      headers: json,
      body: '{"next":"https://example.com/a?b=c"}',
    });
    expect([there.status, there.headers.location]).toEqual([302, 'https://example.com/a?b=c']);
    for (const next of [
      'javascript:alert(1)',
      '/relative',
      'https://example.com/\\r\\nSet-Cookie: a=b',
      '',
    ]) {
      const refused = await send(door, `/webhook/${whole.token}`, {
        headers: json,
        body: `{"next":"${next}"}`,
      });
      expect([refused.status, errorCode(refused)]).toEqual([500, 'invalid_redirect']);
      expect(refused.headers['set-cookie']).toBeUndefined();
    }
  });

  it('after workflow: 200 with task outputs; a failed run is 500 workflow_failed with run_id', async () => {
    const response = {
      response_type: 'after_workflow',
      response_body: '{"text":"{{task_2_text}}","run":{{task_2_run}}}',
    };
    const { token } = await insertWorkflow(
      db.$client,
      chain(trigger(response), setTask(2, 'Hello {{task_1_name}}')),
    );
    const answer = await send(door, `/webhook/${token}`, { headers: json, body: '{"name":"you"}' });
    expect([answer.status, answer.body]).toEqual([200, '{"text":"Hello you","run":true}']);
    const failing = await insertWorkflow(db.$client, chain(trigger(response), failTask(2)));
    const failed = await send(door, `/webhook/${failing.token}`, { headers: json, body: '{}' });
    expect([failed.status, errorCode(failed)]).toEqual([500, 'workflow_failed']);
    const { error } = JSON.parse(failed.body) as { error: { run_id: string } };
    const { rows } = await db.$client.query<{ status: string }>('select status from runs where id = $1', [
      error.run_id,
    ]);
    expect(rows[0]?.status).toBe('failed');
  });

  it('after workflow: at the first Delay the answer holds what is known by then (spec: Endpoints 5)', async () => {
    const response = {
      response_type: 'after_workflow',
      response_body: '{"before":"{{task_2_text}}","after":"{{task_4_text}}"}',
    };
    const graph = chain(trigger(response), setTask(2, 'known'), delayTask(3, 3600), setTask(4, 'later'));
    const { token } = await insertWorkflow(db.$client, graph);
    const answer = await send(door, `/webhook/${token}`, { headers: json, body: '{}' });
    expect([answer.status, answer.body]).toEqual([200, '{"before":"known","after":""}']);
  });

  it('after workflow: not finished in time is 202 with the run_id, and the run goes on', async () => {
    const looping = { ...failTask(2), settings: { count: 3, pause_seconds: 2, on_item_failure: 'stop' } };
    const { token } = await insertWorkflow(db.$client, {
      tasks: [trigger({ response_type: 'after_workflow' }), looping, setTask(3, 'x')],
      edges: [
        { from: 1, to: 2 },
        { from: 2, to: 3, branch: 'each' },
      ],
    });
    const answer = await send(door, `/webhook/${token}`, { headers: json, body: '{}' });
    expect(answer.status).toBe(202);
    expect(JSON.parse(answer.body)).toMatchObject({
      status: 'running',
      run_id: (await eventOf(answer))?.run_id,
    });
  });

  it('keeps the raw body byte for byte', async () => {
    const { token } = await insertWorkflow(db.$client, chain(trigger()));
    const body =
      '\ufeff { "nul":"\\u0000", "lone":"\\ud800", "a":1, "a":2, "big":12345678901234567890, "n":1.10 }\n';
    const answer = await send(door, `/webhook/${token}`, { headers: json, body });
    expect(answer.status).toBe(200);
    expect((await eventOf(answer))?.body?.toString()).toBe(body);
  });
});
