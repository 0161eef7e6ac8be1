import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#lib/core/clock.ts';
import { compileGraph } from '#lib/engine/graph.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import type { Admission, Arrival } from '#lib/engine/store/start-runs.ts';
import type { RunAnswer } from '#lib/engine/engine-deps.ts';
import { BytesInFlight } from './body.ts';
import { createBodyWork } from './body-work.ts';
import { createFormUploads } from './forms/stored-form.ts';
import { createReceiver } from './receive.ts';
import { RateLimit } from './rate-limit.ts';
import type { KnownToken } from './tokens.ts';
import { triggerSettingsSchema } from './trigger-settings.ts';
import type { WebhookRequest } from './types.ts';

interface World {
  /** The published version at each look-up of the token; absent: unknown token. */
  published?: (number | null)[];
  /** The outcome of each arrival that is stored. */
  admit?: (arrival: Arrival) => Admission | undefined;
  /** The trigger's settings by version. */
  settings?: Record<number, object>;
  answer?: RunAnswer;
  isLimited?: boolean;
}

const triggerTask = (settings: object): WorkflowTask => ({
  id: 7,
  type: 'inbound_webhook',
  name: 'In',
  settings: triggerSettingsSchema.parse(settings),
});

const triggered = (): Admission => ({ outcome: 'triggered', waitsForTurn: false });

/** A receiver over in-memory tables, with its effects. */
function open({ published = [1], admit = triggered, settings = {}, answer, isLimited = false }: World = {}) {
  const log: string[] = [];
  const arrivals: Arrival[] = [];
  let lookups = 0;
  const token = (): KnownToken | undefined => {
    const publishedVersion = published[Math.min(lookups++, published.length - 1)];
    if (publishedVersion === undefined) return undefined;
    const ids = { workspaceId: 'workspace', workflowId: 'workflow', hash: Buffer.from('hash') };
    return { ...ids, publishedVersion, ratePerSecond: isLimited ? 1 : 0, zone: 'Europe/Berlin' };
  };
  const receive = createReceiver({
    findCallerRules: () => undefined,
    tokens: {
      find: async () => token(),
      forget: () => void log.push('forget'),
    },
    loadGraph: async (_, version) =>
      compileGraph({
        tasks: [triggerTask({ response_body: `v${version}`, ...settings[version] })],
        edges: [],
      }),
    intake: async (arrival) => {
      arrivals.push(arrival);
      return admit(arrival);
    },
    answers: {
      wait: async () => answer,
      close: () => undefined,
    },
    bodyLimits: {
      maxBodyBytes: 1000,
      inFlight: new BytesInFlight(10_000),
      bodies: createBodyWork(undefined),
      uploads: createFormUploads(2000, () => Promise.reject(new Error('No form is sent here.'))),
    },
    rateLimit: new RateLimit({
      lease: async () => ({ ratePerSecond: 1, granted: 0, available: 0 }),
      readRates: async () => new Map(),
    }),
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    settings: { ratePerSecond: 0, answerTimeoutSeconds: 1 },
  });
  const send = (body = '{}', more: Partial<WebhookRequest> = {}) =>
    receive({
      kind: 'production',
      token: 'token',
      method: 'POST',
      headers: {},
      declaredBytes: undefined,
      readBody: async (collect) => collect(Buffer.from(body)),
      ...more,
    });
  return { send, arrivals, log };
}

const codeOf = ({ body }: { body: string }): unknown =>
  (JSON.parse(body) as { error: { code: string } }).error.code;

describe('a production request', () => {
  it('is answered as its trigger says, with the id of its event', async () => {
    const { send, arrivals } = open();
    const answer = await send('{"a":1}');
    expect(answer).toMatchObject({ status: 200, body: 'v1' });
    expect(answer.headers['X-Event-Id']).toBe(arrivals[0]?.eventId);
    expect(arrivals[0]).toMatchObject({ refusal: null, response: { version: 1, problem: null } });
    expect(arrivals[0]?.body?.toString()).toBe('{"a":1}');
  });

  it('is answered in the zone of its workspace where the text says so', async () => {
    const response_body = '{{date at "HH:mm" zone="workspace"}} {{date at "HH:mm"}}';
    const { send } = open({ settings: { 1: { response_body } } });
    expect(await send('{"at":"2026-11-26T22:00:00Z"}')).toMatchObject({ body: '23:00 22:00' });
  });

  it('is prepared again when another version is published meanwhile, and answered by the one that runs', async () => {
    const admit = ({ response }: Arrival): Admission =>
      response?.version === 3 ? triggered() : { outcome: 'outdated' };
    const { send, arrivals, log } = open({ published: [null, 2, 3], admit });
    expect(await send()).toMatchObject({ status: 200, body: 'v3' });
    expect(arrivals.map(({ response }) => response?.version)).toEqual([undefined, 2, 3]);
    expect(new Set(arrivals.map(({ eventId, runId }) => `${eventId}/${runId}`)).size).toBe(1);
    expect(log).toEqual(['forget', 'forget']);
  });

  it('is told to come again when every try is outdated', async () => {
    const { send, arrivals } = open({ admit: () => ({ outcome: 'outdated' }) });
    const answer = await send();
    expect([answer.status, codeOf(answer), answer.headers['Retry-After']]).toEqual([503, 'overloaded', '2']);
    expect(arrivals).toHaveLength(5);
  });

  it.each([
    [true, 'The workflow is paused.'],
    [false, 'The workflow is not published.'],
  ])('of a workflow that does not run is kept, and says why (published: %s)', async (isPublished, why) => {
    const { send, arrivals } = open({ admit: () => ({ outcome: 'not_active', isPublished }) });
    const answer = await send();
    expect([answer.status, codeOf(answer)]).toEqual([409, 'workflow_not_active']);
    expect(answer.body).toContain(why);
    expect(answer.headers['X-Event-Id']).toBe(arrivals[0]?.eventId);
  });

  it('whose response cannot be sent is written with the problem, and refused', async () => {
    const redirect = { response_type: 'redirect', redirect_url: '{{next}}' };
    const { send, arrivals } = open({
      settings: { 1: redirect },
      admit: () => ({ outcome: 'response_failed' }),
    });
    const answer = await send();
    expect([answer.status, codeOf(answer)]).toEqual([422, 'invalid_redirect']);
    expect(arrivals[0]?.response).toEqual({
      version: 1,
      problem: expect.stringContaining('empty') as string,
    });
  });

  it('that waits for its run gets the answer of the run, or its id when there is none in time', async () => {
    const settings = { 1: { response_type: 'after_workflow' } };
    const answer: RunAnswer = { status: 500, contentType: 'text/plain', body: 'from the run' };
    expect(await open({ settings, answer }).send()).toMatchObject({ status: 500, body: 'from the run' });
    const { send, arrivals } = open({ settings });
    const late = await send();
    expect([late.status, JSON.parse(late.body)]).toEqual([
      202,
      { status: 'running', run_id: arrivals[0]?.runId },
    ]);
  });
});

describe('what is refused', () => {
  it('another method, before anything is looked up', async () => {
    const { send, arrivals } = open({ published: [] });
    expect(await send('', { method: 'GET' })).toMatchObject({ status: 405, headers: { Allow: 'POST' } });
    expect(arrivals).toEqual([]);
  });

  it('an unknown token, before the body is read; and one that ends meanwhile', async () => {
    const readBody = () => Promise.reject(new Error('The body was read.'));
    expect((await open({ published: [] }).send('', { readBody })).status).toBe(404);
    expect((await open({ admit: () => undefined }).send()).status).toBe(404);
  });

  it('a body that is no object: its event is kept with the reason, and nothing is prepared', async () => {
    const { send, arrivals } = open({ admit: () => ({ outcome: 'rejected' }) });
    const answer = await send('[1]');
    expect([answer.status, codeOf(answer)]).toEqual([400, 'body_not_object']);
    expect(arrivals).toHaveLength(1);
    expect(arrivals[0]).toMatchObject({ refusal: expect.stringContaining('an array') as string });
    expect(arrivals[0]?.response).toBeUndefined();
  });

  it('a request beyond the rate, of which nothing is kept', async () => {
    const { send, arrivals } = open({ isLimited: true });
    const answer = await send();
    expect([answer.status, codeOf(answer), answer.headers['Retry-After']]).toEqual([
      429,
      'rate_limited',
      '1',
    ]);
    expect(arrivals).toEqual([]);
  });

  it('whatever cannot be stored, without a word of why', async () => {
    const { send } = open({
      admit: () => {
        throw new Error('secret detail');
      },
    });
    const answer = await send();
    expect([answer.status, codeOf(answer)]).toEqual([503, 'overloaded']);
    expect(answer.body).not.toContain('secret');
  });
});

it('a test request is kept and described, and prepares no response', async () => {
  const { send, arrivals } = open({ admit: () => ({ outcome: 'tested', triggerTaskId: 7 }) });
  const answer = await send('{"name":"Ann"}', { kind: 'test' });
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.body)).toMatchObject({
    event_id: arrivals[0]?.eventId,
    task_id: 7,
    variables: { task_7_name: 'Ann' },
  });
  expect(arrivals[0]).toMatchObject({ kind: 'test' });
  expect(arrivals[0]?.response).toBeUndefined();
});
