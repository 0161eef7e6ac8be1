// Resume URLs over HTTP, through the running product: the page, calls of other systems, and the effect on the run.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { NO_PAGE_POLICY } from '#lib/core/http/answer-headers.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { startTestProduct, type TestProduct } from './testing/test-product.ts';

let server: TestProduct;
/** Receives the links that runs send, by their event. */
let inbox: Server;
let inboxUrl: string;
const links = new Map<string, string>();

beforeAll(async () => {
  server = await startTestProduct({ settings: { ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } });
  inbox = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { about, url } = JSON.parse(Buffer.concat(chunks).toString()) as { about: string; url: string };
      links.set(about, url);
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => inbox.listen(0, '127.0.0.1', resolve));
  inboxUrl = `http://127.0.0.1:${(inbox.address() as AddressInfo).port}`;
});
afterAll(async () => {
  inbox.close();
  await server.stop();
});

interface Workflow {
  id: string;
  webhook: { production_url: string };
}
interface Run {
  id: string;
  status: string;
  tasks: { task_id: number; status: string; branch: string | null; run_text: string; output: JsonObject }[];
}

let published: Promise<Workflow> | undefined;
const workflow = () =>
  (published ??= server.api<Workflow>('POST', '/workflows', {
    name: 'Refunds',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', settings: {} },
      {
        id: 2,
        type: 'approval_link',
        settings: { question: 'Refund {{task_1_total}}?', details: 'Order {{task_1_about}}' },
      },
      {
        id: 3,
        type: 'http_request',
        settings: {
          method: 'POST',
          url: inboxUrl,
          body_type: 'json',
          body: '{"about":{{task_1_about}},"url":{{task_2_url}}}',
        },
      },
      { id: 4, type: 'wait_for_approval', settings: { link_id: '{{task_2_link_id}}' } },
      {
        id: 5,
        type: 'set_variables',
        settings: { variables: [{ name: 'by', value: '{{task_4_body.by}}' }] },
      },
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3 },
      { from: 3, to: 4 },
      { from: 4, to: 5, branch: 'approved' },
    ],
  }));

let count = 0;
/** Starts a run. @returns its id and its link, as it was sent */
async function ask(): Promise<{ runId: string; link: string }> {
  const about = `A-${(count += 1)}`;
  const { webhook } = await workflow();
  const answer = await fetch(webhook.production_url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ about, total: '20 EUR' }),
  });
  const event = await server.api<{ run_id: string }>('GET', `/events/${answer.headers.get('x-event-id')}`);
  const link = await vi.waitFor(() => {
    expect(links.has(about)).toBe(true);
    return links.get(about) ?? '';
  }, 10_000);
  return { runId: event.run_id, link };
}

const post = (link: string, body: unknown, type = 'application/json'): Promise<Response> =>
  fetch(link, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const readError = async (response: Response) =>
  ((await response.json()) as { error: { code: string; message: string } }).error;

async function ended(runId: string): Promise<Run> {
  return vi.waitFor(async () => {
    const run = await server.api<Run>('GET', `/runs/${runId}`);
    expect(run.status).toBe('succeeded');
    return run;
  }, 10_000);
}

describe('a call of another system', () => {
  test('approves; the run continues with all that was posted; a second call is told so', async () => {
    const { runId, link } = await ask();
    expect(link).toMatch(/\/resume\/[\w-]{32}$/);
    const answer = await post(link, { decision: 'approve', comment: 'Fine', by: 'ERP 7' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-security-policy')).toBe(NO_PAGE_POLICY);
    const told = (await answer.json()) as { decision: string; decided_at: string };
    expect(told).toMatchObject({ decision: 'approved' });
    const { tasks } = await ended(runId);
    expect(tasks.find(({ task_id }) => task_id === 4)).toMatchObject({
      branch: 'approved',
      run_text: 'Approved: Fine',
      output: {
        decision: 'approved',
        comment: 'Fine',
        body: { decision: 'approve', comment: 'Fine', by: 'ERP 7' },
        decided_at: told.decided_at,
      },
    });
    expect(tasks.find(({ task_id }) => task_id === 5)).toMatchObject({ output: { by: 'ERP 7' } });
    const again = await post(link, { decision: 'reject' });
    expect(again.status).toBe(409);
    expect(await readError(again)).toEqual({
      code: 'conflict',
      message: `This was already approved at ${told.decided_at}. The decision cannot be changed.`,
    });
  });

  test('two at once: one counts', async () => {
    const { runId, link } = await ask();
    const answers = await Promise.all([
      post(link, { decision: 'approve' }),
      post(link, { decision: 'reject' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const counted = answers.find(({ status }) => status === 200);
    const { decision } = (await counted?.json()) as { decision: string };
    expect((await ended(runId)).tasks.find(({ task_id }) => task_id === 4)).toMatchObject({
      branch: decision,
    });
  });

  test('that is wrong says how to fix it, and decides nothing', async () => {
    const { runId, link } = await ask();
    const wrong = await post(link, { decision: 'yes' });
    expect([wrong.status, await readError(wrong)]).toMatchObject([
      400,
      { code: 'invalid_request', message: 'Set "decision" to "approve" or "reject".' },
    ]);
    expect((await post(link, 'decision: approve', 'text/yaml')).status).toBe(415);
    expect((await post(link, { decision: 'approve', more: 'x'.repeat(70_000) })).status).toBe(413);
    const put = await fetch(link, { method: 'PUT', body: '{}' });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    expect(await readError(put)).toEqual({ code: 'method_not_allowed', message: 'Use GET or POST here.' });
    const unknown = await post(link.replace(/.{32}$/, 'x'.repeat(32)), { decision: 'approve' });
    expect([unknown.status, (await readError(unknown)).code]).toEqual([404, 'not_found']);
    expect((await post(link, { decision: 'approve' })).status).toBe(200);
    await ended(runId);
  });

  test('after the run was cancelled is told that no decision is needed', async () => {
    const { runId, link } = await ask();
    await server.api('POST', `/runs/${runId}/cancel`);
    const answer = await post(link, { decision: 'approve' });
    expect([answer.status, (await readError(answer)).code]).toEqual([410, 'gone']);
    expect((await fetch(link)).status).toBe(410);
  });
});

test('a run of the draft captures the link, which works', async () => {
  const { id } = await workflow();
  const sent = links.size;
  const run = await server.api<{ id: string }>('POST', `/workflows/${id}/run-draft`, {
    body: { about: 'draft', total: '5 EUR' },
  });
  const captured = await vi.waitFor(async () => {
    const { status, tasks } = await server.api<Run>('GET', `/runs/${run.id}`);
    expect(status).toBe('waiting');
    return JSON.stringify(tasks.find(({ task_id }) => task_id === 3));
  }, 10_000);
  const link = /http[^"\\\s]+\/resume\/[\w-]{32}/.exec(captured)?.[0] ?? '';
  expect((await post(link, { decision: 'reject' })).status).toBe(200);
  const { tasks } = await ended(run.id);
  expect(tasks.find(({ task_id }) => task_id === 4)).toMatchObject({ branch: 'rejected' });
  expect(links.size).toBe(sent);
});

describe('the page', () => {
  test('shows the question to whoever has the link, and opening it decides nothing', async () => {
    const { runId, link } = await ask();
    for (const method of ['GET', 'HEAD', 'GET']) {
      const answer = await fetch(link, { method });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('x-robots-tag')).toBe('noindex, nofollow');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; .*; sandbox allow-forms$/,
      );
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      if (method === 'HEAD') continue;
      const html = await answer.text();
      expect(html).toContain('<h1>Refund 20 EUR?</h1>');
      expect(html).toContain('<style>');
    }
    expect(await server.api<Run>('GET', `/runs/${runId}`)).not.toMatchObject({ status: 'succeeded' });
    expect((await fetch(link.replace(/.{32}$/, 'short'))).status).toBe(404);
  });

  test('sends its form without a script and shows then what was decided', async () => {
    const { runId, link } = await ask();
    const form = 'application/x-www-form-urlencoded';
    const answer = await post(link, 'comment=Not+now&decision=reject', form);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, new URL(link).pathname]);
    expect(await (await fetch(link)).text()).toContain('<strong>Reject</strong> was chosen on');
    const again = await post(link, 'decision=approve', form);
    expect(again.status).toBe(409);
    expect(await again.text()).toContain('This was already rejected at');
    const { tasks } = await ended(runId);
    expect(tasks.find(({ task_id }) => task_id === 4)).toMatchObject({
      branch: 'rejected',
      run_text: 'Rejected: Not now',
    });
    expect(tasks.find(({ task_id }) => task_id === 5)).toMatchObject({ status: 'skipped' });
  });
});
