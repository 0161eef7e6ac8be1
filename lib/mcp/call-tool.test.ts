import { expect, test } from 'vitest';
import { createApiClient } from '#lib/api/client/create-api-client.ts';
import { toOpenApi } from '#lib/api/openapi.ts';
import { OPERATIONS } from '#lib/api/operations/operations.ts';
import { callTool, MAX_RESULT_CHARACTERS } from './create-server.ts';
import { listTools, type OpenApiDocument } from './list-tools.ts';

const tools = listTools(toOpenApi(OPERATIONS, 'https://x') as unknown as OpenApiDocument);

/** Calls a tool of an API that returns the same response to every request. @returns the result, and the request */
async function call(name: string, args: Record<string, unknown>, answer: { status?: number; text: string }) {
  const asked: string[] = [];
  const client = createApiClient({
    url: 'https://x',
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      asked.push(`${request.method} ${pathname}${search} ${await request.text()}`.trim());
      const { status = 200, text } = answer;
      return new Response(status === 204 ? null : text, { status });
    },
  });
  const tool = tools.find((each) => each.name === name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  return { result: await callTool(client, tool, args), asked };
}

test('arguments go where the operation has them', async () => {
  const { asked } = await call('replayEvent', { id: 'e/1', body: { repeat: true } }, { text: '{}' });
  expect(asked).toEqual(['POST /api/v1/events/e%2F1/replay {"repeat":true}']);
  const listed = await call('listRuns', { limit: 5, status: 'failed', cursor: null }, { text: '{}' });
  expect(listed.asked).toEqual(['GET /api/v1/runs?limit=5&status=failed']);
});

test.each([
  ['', 'Enter a value.'],
  [null, 'Enter a value.'],
  ['.', 'This names nothing.'],
  ['..', 'This names nothing.'],
])('an argument of the path that would lead to another operation is refused: %j', async (id, message) => {
  const { result, asked } = await call('deleteMessageTemplate', { id: 'c', template_id: id }, { text: '{}' });
  expect(asked).toEqual([]);
  expect(result).toEqual({
    content: [{ type: 'text', text: `invalid_request: the arguments do not fit.\ntemplate_id: ${message}` }],
    isError: true,
  });
});

test('numbers keep their digits, and approval links cannot be used', async () => {
  const link = `https://x/resume/${'a'.repeat(32)}`;
  const { result } = await call(
    'getEvent',
    { id: '1' },
    { text: `{"n":12345678901234567890,"link":"${link}"}` },
  );
  expect(result.content).toEqual([
    { type: 'text', text: '{"n":12345678901234567890,"link":"https://x/resume/••••"}' },
  ]);
  expect(JSON.stringify(result.structuredContent)).toContain('12345678901234567890');
  expect(JSON.stringify(result)).not.toContain('a'.repeat(32));
});

test('a result that is too long says so', async () => {
  const text = JSON.stringify({ text: 'x'.repeat(MAX_RESULT_CHARACTERS) });
  const { result } = await call('getEvent', { id: '1' }, { text });
  expect(result.structuredContent).toBeUndefined();
  expect(result.content).toHaveLength(2);
  expect(result.content[1]).toMatchObject({ text: expect.stringContaining('Ask for less') as string });
});

test('an answer without a body is done, and one that is not of the API is said to be', async () => {
  const done = await call('deleteWorkflow', { id: '1' }, { status: 204, text: '' });
  expect(done.result).toEqual({ content: [{ type: 'text', text: 'Done.' }] });
  const page = await call('getWorkflow', { id: '1' }, { status: 502, text: '<html>' });
  expect(page.result).toEqual({
    content: [{ type: 'text', text: "Status 502: this is not an answer of Patchbay's API." }],
    isError: true,
  });
});

test('a Patchbay that cannot be reached is said to the assistant', async () => {
  const client = createApiClient({
    url: 'https://x',
    fetch: () => Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })),
  });
  const [tool] = tools;
  if (!tool) throw new Error('There are no tools.');
  expect(await callTool(client, tool, {})).toEqual({
    content: [{ type: 'text', text: 'Patchbay does not answer (connect ECONNREFUSED). Try again later.' }],
    isError: true,
  });
});
