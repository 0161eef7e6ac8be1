import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { RunLostError, TaskError } from '#lib/engine/task-executor.ts';
import { startTestServer } from '#lib/core/http/testing/test-server.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import { taskContext } from '#lib/tasks/testing/task-context.ts';
import { httpRequest } from './definition.ts';
import { createHttpRequestExecutor } from './execute.ts';

const BODY = parseJson(
  '{"id":12345678901234567890,"name":"a \\"b\\" & c=d\\n","list":["x"],"path":"a/b"}',
) as JsonObject;

async function execute(settings: object, listener: RequestListener, iteration = ''): Promise<JsonObject> {
  const { origin, host } = await startTestServer(listener);
  const executor = createHttpRequestExecutor({ allowedPrivateHosts: [host] });
  const context = taskContext(httpRequest, { url: `${origin}/hook`, ...settings }, { body: BODY, iteration });
  const result = await executor.execute(context);
  if (result.kind !== 'done') throw new Error('An HTTP request is done when it is answered.');
  return result.output as JsonObject;
}

/** Responds with the received request. */
const echo: RequestListener = (request, response) => void answerEcho(request, response);

async function answerEcho(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url, headers } = request;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ method, url, headers, body }));
}

const received = async (settings: object, iteration?: string) =>
  (await execute(settings, echo, iteration)).body as JsonObject & {
    headers: JsonObject;
    body: string;
    url: string;
  };

async function failureOf(settings: object, listener: RequestListener): Promise<TaskError> {
  const error: unknown = await execute(settings, listener).catch((reason: unknown) => reason);
  if (!(error instanceof TaskError)) throw new Error(`It did not fail by a TaskError: ${String(error)}`);
  return error;
}

const answering = (status: number, headers: Record<string, string> = {}, body = ''): RequestListener => {
  return (_request, response) => response.writeHead(status, headers).end(body);
};

describe('the trace of the caller', () => {
  const traceHeaders = {
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    tracestate: 'a=b',
  };

  const headersWith = async (settings: object, passesTraces?: boolean): Promise<JsonObject> => {
    const { origin, host } = await startTestServer(echo);
    const executor = createHttpRequestExecutor({
      allowedPrivateHosts: [host],
      ...(passesTraces === undefined ? {} : { passesTraces }),
    });
    const context = taskContext(httpRequest, { url: `${origin}/`, ...settings }, { body: BODY });
    const result = await executor.execute({ ...context, traceHeaders: () => traceHeaders });
    if (result.kind !== 'done') throw new Error('An HTTP request is done when it is answered.');
    return ((result.output as JsonObject)['body'] as JsonObject)['headers'] as JsonObject;
  };

  it('goes along', async () => {
    expect(await headersWith({})).toMatchObject(traceHeaders);
  });

  it('gives way, with its state, to a header that the task names', async () => {
    const headers = await headersWith({ headers: [{ name: 'Traceparent', value: 'mine' }] });
    expect(headers['traceparent']).toBe('mine');
    expect(headers).not.toHaveProperty('tracestate');
  });

  it('stays here where no traces are passed on', async () => {
    const headers = await headersWith({}, false);
    expect(headers).not.toHaveProperty('traceparent');
  });
});

describe('the request', () => {
  it('percent-encodes variables in the URL and adds the query', async () => {
    const { origin, host } = await startTestServer(echo);
    const executor = createHttpRequestExecutor({ allowedPrivateHosts: [host] });
    const query = [
      { name: 'q', value: '{{task_1_name}}' },
      { name: 'q', value: 'é' },
    ];
    const context = taskContext(
      httpRequest,
      { url: `${origin}/{{task_1_path}}?a=1#x`, query },
      { body: BODY },
    );
    const result = await executor.execute(context);
    expect(result).toMatchObject({
      output: { body: { method: 'GET', url: '/a%2Fb?a=1&q=a+%22b%22+%26+c%3Dd%0A&q=%C3%A9' } },
      runText: `${host} answered 200.`,
    });
  });

  it('writes variables in JSON by place: values outside quotes, text inside', async () => {
    const body =
      '{"id": {{task_1_id}}, "name": "Dear {{task_1_name}}", "none": {{task_1_none}}, "list": {{task_1_list}}}';
    const seen = await received({ method: 'POST', body_type: 'json', body });
    expect(seen.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(seen.body).toBe(
      '{"id": 12345678901234567890, "name": "Dear a \\"b\\" & c=d\\n", "none": null, "list": ["x"]}',
    );
  });

  it('takes JSON that is no text, its variables with their types', async () => {
    const seen = await received({
      method: 'PUT',
      body_type: 'json',
      body: { id: '{{task_1_id}}', list: ['{{task_1_list}}', 5] },
    });
    expect(seen.body).toBe('{"id":12345678901234567890,"list":[["x"],5]}');
  });

  it.each<[string, JsonValue]>([
    ['pairs joined by &', 'name={{task_1_name}}&id={{task_1_id}}&s=a b'],
    ['pairs one a line', 'name={{task_1_name}}\nid={{task_1_id}}\n\n s=a b'],
  ])('form: %s; no value adds a pair', async (_what, body) => {
    const seen = await received({ method: 'POST', body_type: 'form', body });
    expect(seen.headers).toMatchObject({ 'content-type': 'application/x-www-form-urlencoded' });
    const pairs = [...new URLSearchParams(seen.body)];
    expect(pairs).toEqual([
      ['name', 'a "b" & c=d\n'],
      ['id', '12345678901234567890'],
      ['s', 'a b'],
    ]);
  });

  it.each<[string, JsonValue]>([
    ['an object', { name: '{{task_1_name}}', id: '{{task_1_id}}' }],
    [
      'a list',
      [
        { name: 'name', value: '{{task_1_name}}' },
        { name: 'id', value: '{{task_1_id}}' },
      ],
    ],
  ])('form: %s', async (_what, body) => {
    const seen = await received({ method: 'POST', body_type: 'form', body });
    expect([...new URLSearchParams(seen.body)]).toEqual([
      ['name', 'a "b" & c=d\n'],
      ['id', '12345678901234567890'],
    ]);
  });

  it('text: as it is', async () => {
    const seen = await received({ method: 'POST', body_type: 'text', body: 'Hello {{task_1_name}}' });
    expect(seen).toMatchObject({
      body: 'Hello a "b" & c=d\n',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    });
  });

  it('gives POST and PATCH one key for all attempts of a task run, unless the user gave one', async () => {
    expect((await received({ method: 'POST' })).headers['idempotency-key']).toBe('patchbay-r1-7');
    expect((await received({ method: 'PATCH' }, '2.0')).headers['idempotency-key']).toBe('patchbay-r1-7-2.0');
    expect((await received({ method: 'PUT' })).headers).not.toHaveProperty('idempotency-key');
    const headers = [
      { name: 'Idempotency-Key', value: 'mine' },
      { name: 'Content-Type', value: 'text/csv' },
    ];
    expect((await received({ method: 'POST', headers, body_type: 'text', body: 'a' })).headers).toMatchObject(
      {
        'idempotency-key': 'mine',
        'content-type': 'text/csv',
      },
    );
  });
});

describe('the output', () => {
  it('reads JSON with all its digits', async () => {
    const output = await execute(
      {},
      answering(201, { 'content-type': 'application/vnd.api+json' }, '{"id":12345678901234567890}'),
    );
    expect(stringifyJson(output.body ?? null)).toBe('{"id":12345678901234567890}');
    expect(output).toMatchObject({ status: 201, headers: { 'content-type': 'application/vnd.api+json' } });
  });

  it.each([
    ['text', { 'content-type': 'text/plain' }, '{"a":1}', '{"a":1}'],
    ['what only says that it is JSON', { 'content-type': 'application/json' }, '<html>', '<html>'],
    ['an empty answer', {}, '', null],
  ])('%s', async (_what, headers, text, body) => {
    expect((await execute({}, answering(200, { ...headers }, text))).body).toBe(body);
  });

  it('reads other character sets', async () => {
    const latin: RequestListener = (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' })
        .end(Buffer.from([0x67, 0xfc]));
    expect((await execute({}, latin)).body).toBe('gü');
  });
});

describe('failures (docs/engine.md: retry never, backoff or after)', () => {
  it.each([
    ['GET', 400, {}, { kind: 'never' }, false],
    ['GET', 404, { 'retry-after': '5' }, { kind: 'never' }, false],
    ['GET', 429, {}, { kind: 'backoff' }, false],
    ['POST', 429, { 'retry-after': '7' }, { kind: 'after', seconds: 7 }, false],
    ['POST', 503, { 'retry-after': 'Thu, 31 Jan 2030 12:01:00 GMT' }, { kind: 'after', seconds: 60 }, false],
    ['POST', 500, {}, { kind: 'backoff' }, false],
    ['GET', 502, {}, { kind: 'backoff' }, false],
    ['POST', 502, {}, { kind: 'backoff' }, true],
    ['PATCH', 504, {}, { kind: 'backoff' }, true],
  ])('%s answered %i %j', async (method, status, headers, retry, outcomeUnknown) => {
    const failure = await failureOf({ method }, answering(status, { ...headers }, 'because'));
    expect(failure).toMatchObject({
      code: 'http_status',
      retry,
      outcomeUnknown,
      details: { status, body: 'because' },
    });
    expect(failure.message).toMatch(new RegExp(`answered ${status}: because$`));
  });

  it('fails on the statuses that the settings say', async () => {
    expect(await execute({ fail_on_status: '500_and_up' }, answering(404))).toMatchObject({ status: 404 });
    expect(await execute({ fail_on_status: 'never' }, answering(500))).toMatchObject({ status: 500 });
    expect((await failureOf({ fail_on_status: '500_and_up' }, answering(500))).code).toBe('http_status');
  });

  it.each([
    ['GET', { kind: 'backoff' }, false],
    ['DELETE', { kind: 'backoff' }, false],
    ['POST', { kind: 'never' }, true],
    ['PATCH', { kind: 'never' }, true],
  ])('%s whose answer is lost', async (method, retry, outcomeUnknown) => {
    const lost = await failureOf({ method }, (request) => request.socket.destroy());
    expect(lost).toMatchObject({ code: 'interrupted', retry, outcomeUnknown });
    const late = await failureOf({ method, timeout_seconds: 0.2 }, () => undefined);
    expect(late).toMatchObject({ code: 'timeout', retry, outcomeUnknown });
  });

  it('a POST that may be repeated is tried again, whatever became of it', async () => {
    const repeat = { method: 'POST', if_unknown: 'repeat' } as const;
    const again = { retry: { kind: 'backoff' }, outcomeUnknown: false };
    expect(await failureOf(repeat, (request) => request.socket.destroy())).toMatchObject(again);
    expect(await failureOf(repeat, answering(502))).toMatchObject(again);
    expect(await failureOf({ ...repeat, timeout_seconds: 0.2 }, () => undefined)).toMatchObject(again);
    const executor = createHttpRequestExecutor({ allowedPrivateHosts: [] });
    const interrupted = [repeat, { ...repeat, if_unknown: 'flag' }].map((settings) =>
      executor.ifInterrupted?.({ ...settings, url: 'https://example.com' }),
    );
    expect(interrupted).toEqual(['retry', 'flag']);
  });

  it('a POST that certainly was not sent is tried again', async () => {
    const context = taskContext(httpRequest, { method: 'POST', url: 'http://127.0.0.1:1/' });
    const call = createHttpRequestExecutor({ allowedPrivateHosts: ['127.0.0.1'] }).execute(context);
    await expect(call).rejects.toMatchObject({
      code: 'not_sent',
      retry: { kind: 'backoff' },
      outcomeUnknown: false,
    });
  });

  it('private addresses are refused, for good', async () => {
    const context = taskContext(httpRequest, { url: 'http://169.254.169.254/' });
    const call = createHttpRequestExecutor({ allowedPrivateHosts: [] }).execute(context);
    await expect(call).rejects.toMatchObject({
      code: 'refused_address',
      retry: { kind: 'never' },
      message: expect.stringContaining('add 169.254.169.254 to the setting ALLOWED_PRIVATE_HOSTS') as unknown,
    });
  });

  it.each([
    [
      { method: 'POST', body_type: 'json', body: '{"a": {{task_1_id}}' },
      'invalid_json_body',
      /line 1, column 27/,
    ],
    [{ method: 'POST', body_type: 'form', body: ['x'] }, 'invalid_form_body', /The form field "x"/],
    [{ headers: [{ name: 'X', value: 'a{{task_1_name}}b' }] }, 'invalid_header', /line break/],
    [{ url: '{{task_1_path}}' }, 'invalid_url', /"a\/b" cannot be called: enter a full URL/],
  ])('%j fails with its reason', async (settings, code, message) => {
    const failure = await failureOf(settings, echo);
    expect(failure).toMatchObject({ code, retry: { kind: 'never' } });
    expect(failure.message).toMatch(message);
  });
});

it.each([
  ['GET', false, 'retry'],
  ['HEAD', false, 'retry'],
  ['OPTIONS', false, 'retry'],
  ['PUT', true, 'retry'],
  ['DELETE', true, 'retry'],
  ['POST', true, 'flag'],
  ['PATCH', true, 'flag'],
])('%s: side effect %s, found in flight: %s (docs/engine.md, "Durable")', (method, hasSideEffect, policy) => {
  const executor = createHttpRequestExecutor({ allowedPrivateHosts: [] });
  const settings = { method, url: 'https://example.com/' };
  expect(executor.hasSideEffect?.(settings)).toBe(hasSideEffect);
  expect(executor.ifInterrupted?.(settings)).toBe(policy);
});

describe('the record of a side effect', () => {
  async function recordsOf(method: string, recordSideEffect: (received: number) => Promise<void>) {
    let received = 0;
    const { origin, host } = await startTestServer((_request, response) => {
      received += 1;
      response.end();
    });
    const executor = createHttpRequestExecutor({ allowedPrivateHosts: [host] });
    const context = taskContext(
      httpRequest,
      { url: origin, method },
      { recordSideEffect: () => recordSideEffect(received) },
    );
    await executor.execute(context);
    return received;
  }

  it.each([
    ['POST', [0]],
    ['PUT', [0]],
    ['GET', []],
  ])('%s: made before the request leaves: %j', async (method, expected) => {
    const receivedBefore: number[] = [];
    await recordsOf(method, async (received) => void receivedBefore.push(received));
    expect(receivedBefore).toEqual(expected);
  });

  it('keeps the request back when it fails', async () => {
    let received = 0;
    const sending = recordsOf('POST', async (count) => {
      received = count;
      throw new RunLostError('The run is not ours any more.');
    });
    await expect(sending).rejects.toThrow(RunLostError);
    expect(received).toBe(0);
  });
});
