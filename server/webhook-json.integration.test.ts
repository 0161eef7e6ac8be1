// What is and what is not a JSON object, posted to the running door: a corpus, and many mutated real webhooks.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { readPayloads } from '#lib/variables/testing/payloads.ts';
import { type JsonOutcome, readJsonCases } from './testing/json-cases.ts';
import { jsonOutcomeOf, mutatedBody } from './testing/mutate-body.ts';
import {
  type Answer,
  chain,
  CONNECTIONS,
  errorOf,
  forEachOf,
  startWebhookServer,
  triggerTask,
  type WebhookServer,
} from './testing/start-webhook-server.ts';

const MUTATIONS = 20_000;
const BATCH = 100;
const KINDS = ['structure', 'strings', 'numbers', 'encodings', 'depth-and-size', 'leading-and-trailing'];

let server: WebhookServer;
let token: string;

beforeAll(async () => {
  server = await startWebhookServer();
  ({ token } = await insertWorkflow(server.pool, chain(triggerTask())));
});
afterAll(() => server.stop());

/** The rules of docs/webhooks.md for a body, as one line, or nothing when the response follows them. */
function findFault(answer: Answer, outcome: JsonOutcome): string {
  const { status, headers } = answer;
  if (headers['x-event-id'] === undefined) return `status ${status} without an event: ${answer.body}`;
  if (outcome === 'ok') return status === 200 ? '' : `${status} for an object: ${answer.body}`;
  const { code, message } = errorOf(answer);
  const expected = outcome === 'invalid' ? 'invalid_json' : 'body_not_object';
  if (status !== 400 || code !== expected) return `${status} ${code}, expected ${expected}: ${message}`;
  const names = outcome !== 'invalid' || /\bline \d+, column \d+/.test(message);
  return names ? '' : `names no place: ${message}`;
}

async function expectToServe(): Promise<void> {
  expect(server.isAlive()).toBe(true);
  expect((await server.post(`/webhook/${token}`, '{"a":1}')).status).toBe(200);
}

describe('corpus of JSON and what is not JSON (docs/webhooks.md: invalid_json, body_not_object)', () => {
  const cases = readJsonCases();

  it('holds at least 150 cases of every kind', () => {
    expect(cases.length).toBeGreaterThanOrEqual(150);
    expect(new Set(cases.map(({ kind }) => kind))).toEqual(new Set(KINDS));
  });

  describe.each(KINDS)('%s', (kind) => {
    it.each(cases.filter((entry) => entry.kind === kind))('$what: $outcome', async (entry) => {
      for (const url of ['webhook', 'webhook-test']) {
        const answer = await server.post(`/${url}/${token}`, entry.body);
        expect(findFault(answer, entry.outcome)).toBe('');
        if (entry.place !== undefined) expect(errorOf(answer).message).toContain(entry.place);
        if (entry.byte !== undefined) expect(errorOf(answer).message).toContain(`Byte ${entry.byte} (0x`);
      }
    });
  });

  it('the server still answers afterwards', expectToServe);
});

describe('mutated webhooks (docs/webhooks.md: invalid_json, body_not_object)', () => {
  it(`${MUTATIONS} mutations of real bodies: none is answered wrongly, none stops the server`, async () => {
    const counts = { ok: 0, not_object: 0, invalid: 0 };
    const bodies = readPayloads().map(({ text }) => Buffer.from(text));
    const batch = fc.array(mutatedBody(bodies), { minLength: BATCH, maxLength: BATCH });
    await fc.assert(
      fc.asyncProperty(batch, async (mutations) => {
        const faults: string[] = [];
        await forEachOf(mutations, async ({ body }) => {
          const outcome = jsonOutcomeOf(body);
          counts[outcome]++;
          const url = counts[outcome] % 4 === 0 ? 'webhook-test' : 'webhook';
          const fault = findFault(await server.post(`/${url}/${token}`, body), outcome);
          if (fault) faults.push(`${fault}\n  body (base64): ${body.toString('base64', 0, 2_000)}`);
        });
        expect(faults.join('\n')).toBe('');
      }),
      { numRuns: MUTATIONS / BATCH, endOnFailure: true },
    );
    // Mutations of one kind only would prove little.
    for (const outcome of ['ok', 'not_object', 'invalid'] as const)
      expect(counts[outcome]).toBeGreaterThan(MUTATIONS / 50);
    await expectToServe();
  });

  it(`${CONNECTIONS} connections at once lose no event`, async () => {
    const { workflowId, token: other } = await insertWorkflow(server.pool, chain(triggerTask()));
    await forEachOf(
      Array.from({ length: 500 }, (_, n) => (n % 2 ? `{"n":${n}}` : `{"n":${n}`)),
      async (body) => {
        await server.post(`/webhook/${other}`, body);
      },
    );
    const { rows } = await server.pool.query<{ outcome: string; count: number }>(
      'select outcome, count(*)::int as count from events where workflow_id = $1 group by outcome order by outcome',
      [workflowId],
    );
    expect(rows).toEqual([
      { outcome: 'rejected', count: 250 },
      { outcome: 'triggered', count: 250 },
    ]);
  });
});
