// Webhooks of GitHub, Stripe and Shopify, through both URLs of the running product.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import {
  flattenNaively,
  type Leaf,
  leavesOf,
  type Payload,
  readPayloads,
} from '#lib/variables/testing/payloads.ts';
import {
  type Answer,
  chain,
  forEachOf,
  setTextTask,
  startWebhookServer,
  triggerTask,
  type WebhookServer,
} from './testing/start-webhook-server.ts';

/** A text may contain this many characters of variables, and 1,000 variables. */
const CHARACTERS_PER_TEXT = 16_000;
const LEAVES_PER_TEXT = 500;
const GITHUB_EXAMPLES = 329;

let server: WebhookServer;

beforeAll(async () => {
  server = await startWebhookServer();
  await server.start('worker');
});
afterAll(() => server.stop());

const payloads = readPayloads();

/** All payloads are posted concurrently; failures name their payload. */
async function expectNoFault(check: (payload: Payload) => Promise<void>): Promise<void> {
  const faults: string[] = [];
  await forEachOf(payloads, (payload) =>
    check(payload).catch((error: unknown) => void faults.push(`${payload.name}: ${String(error)}`)),
  );
  expect(faults.join('\n')).toBe('');
}

const isPlainName = (name: string): boolean => /^\w+$/.test(name);

function writePath(keys: string[]): string {
  const segments = keys.map((key) =>
    /^\d+$/.test(key) ? `[${key}]` : isPlainName(key) ? `.${key}` : `.[${key}]`,
  );
  return `{{task_1.JSON${segments.join('')}}}`;
}

function writeName(name: string): string {
  return isPlainName(name) ? `{{task_1_${name}}}` : `{{[task_1_${name}]}}`;
}

/** As many per text as allowed. */
function splitLeaves(leaves: Leaf[]): Leaf[][] {
  const parts: Leaf[][] = [[]];
  let characters = 0;
  for (const leaf of leaves) {
    characters += writeName(leaf.keys.join('_')).length + writePath(leaf.keys).length;
    if (characters > CHARACTERS_PER_TEXT || (parts.at(-1)?.length ?? 0) >= LEAVES_PER_TEXT) {
      parts.push([]);
      characters = writeName(leaf.keys.join('_')).length + writePath(leaf.keys).length;
    }
    parts.at(-1)?.push(leaf);
  }
  return parts;
}

it('are all examples of GitHub, and some of Stripe and Shopify', () => {
  expect(payloads.filter(({ name }) => name.startsWith('github'))).toHaveLength(GITHUB_EXAMPLES);
  expect(payloads.length - GITHUB_EXAMPLES).toBeGreaterThanOrEqual(3);
});

it('test URL: the variables of real webhooks are those of a naive walk (spec: Trigger output and flattening 1 to 3, 6)', async () => {
  const { token } = await insertWorkflow(server.pool, chain(triggerTask()));
  await expectNoFault(async ({ text }) => {
    const answer = await server.post(`/webhook-test/${token}`, text);
    expect(answer.status).toBe(200);
    const names = flattenNaively(JSON.parse(text) as object);
    const expected = Object.fromEntries([...names].map(([name, value]) => [`task_1_${name}`, value]));
    expected['task_1_run'] = true;
    expected['task_1_run_text'] = 'Inbound data was received and processed successfully.';
    expect((JSON.parse(answer.body) as { variables: object }).variables).toEqual(expected);
    for (const [digits] of text.matchAll(/(?<=[:[,]\s*)\d{17,}(?=\s*[,\]}])/g))
      expect(answer.body).toContain(`:${digits}`);
  });
});

describe('production URL, after the workflow', () => {
  async function answerTo(text: string, response_body: string, type = 'after_workflow'): Promise<Answer> {
    const trigger = triggerTask({ response_type: type, response_body });
    const { token } = await insertWorkflow(server.pool, chain(trigger, setTextTask(2, '{{task_1.JSON}}')));
    const answer = await server.post(`/webhook/${token}`, text);
    expect(answer.status, answer.body).toBe(200);
    return answer;
  }

  it('flattened names and .JSON paths of real webhooks render their values (spec: Trigger output and flattening 1 to 4)', async () => {
    await expectNoFault(async ({ text }) => {
      const body = JSON.parse(text) as object;
      const names = flattenNaively(body);
      for (const part of splitLeaves(leavesOf(body))) {
        const lines = part.map(
          ({ keys }, at) => `"f${at}":${writeName(keys.join('_'))},"j${at}":${writePath(keys)}`,
        );
        const answer = await answerTo(text, `{${lines.join(',\n')}}`);
        expect(answer.headers['content-type']).toBe('application/json');
        const expected = part.flatMap(({ keys, value }, at) => [
          [`f${at}`, names.get(keys.join('_')) ?? null],
          [`j${at}`, value],
        ]);
        expect(JSON.parse(answer.body)).toEqual(Object.fromEntries(expected));
      }
    });
  });

  it('a whole webhook passes through a task and back with every digit and type (spec: Trigger output and flattening 6)', async () => {
    await expectNoFault(async ({ text }) => {
      const { body } = await answerTo(text, '{"trigger":{{task_1.JSON}},"task":{{task_2_text}}}');
      const compact = text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => (part.startsWith('"') ? part : ''));
      expect(body).toBe(`{"trigger":${compact},"task":${compact}}`);
    });
  });
});
