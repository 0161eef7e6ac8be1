// An MCP server for the REST API, independent of the transport.
import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { ApiClient } from '#lib/api/client/create-api-client.ts';
import { hideLinks } from '#lib/approvals/approval-link.ts';
import { reasonOf } from '#lib/core/errors.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import { VERSION } from '#lib/core/version.ts';
import { hasScope, type KeyScope } from '#lib/identity/api-keys/scopes.ts';
import type { ApiTool } from './list-tools.ts';

/** Instructions for assistants about Patchbay. */
const INSTRUCTIONS = `Patchbay runs workflows: a webhook or a customer's message starts a run, whose tasks call services and send messages.

To build a workflow:
1. listTaskTypes, then getTaskType for each type you use. Its settings are a JSON Schema.
2. createWorkflow with tasks and edges. One task is the trigger. Ids of tasks are positive integers, unique in the workflow, never used again for another task. An edge names the branch of its parent where that has branches.
3. Settings use what earlier tasks gave as {{task_<id>_<field>}}; nested keys are joined by underscores. listVariables lists what a task can use.
4. To change a draft, getWorkflow, then replaceDraft with everything in it and its draft_revision. Send masked values (••••••) back as they are: the stored secrets stay. Never ask for secrets: people add them in Settings → Secrets, and HTTP requests use them as {{secret.<name>}}.
5. checkDraft until it has no errors. runDraft with a sample as body.body: nothing is sent for real unless call_services or send_to says so. Then getRun until its status is succeeded or failed.
6. publishWorkflow only when the user wants it: from then on callers of webhook.production_url start it, and what its trigger says: customers' messages, for one.

To explain a failure: listRuns with status failed, getRun (error.task_id is the task that failed), getTaskRun (what it was given), getEvent (what came in). Ask before retryRun and replayEvent: they send real requests and messages.`;

export interface McpOptions {
  /** With the key of the assistant's user. */
  client: ApiClient;
  tools: readonly ApiTool[];
  /** The scope of that key: tools that need more are not listed. */
  scope: KeyScope;
}

/** A server for one request or one connection. The API refuses calls of unlisted tools, with the reason. */
export function createServer({ client, tools, scope }: McpOptions): Server {
  const server = new Server(
    { name: 'patchbay', title: 'Patchbay', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: tools
      .filter((tool) => hasScope(scope, tool.scope))
      .map(({ name, description, inputSchema, annotations }) => ({
        name,
        description,
        inputSchema,
        annotations,
      })),
  }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }) => {
    const tool = tools.find((each) => each.name === name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}.`);
    return callTool(client, tool, args);
  });
  return server;
}

// Calls a tool: sends a request to the REST API, and converts its response into a result.

/** Maximum characters of JSON in a result: models read all of them. */
export const MAX_RESULT_CHARACTERS = 100_000;

/**
 * Removed from every path, however they are encoded (URL Standard, "double-dot URL path segment"): the rest would be another
 * operation.
 */
const DOT_SEGMENTS = ['.', '..'];

interface Sent {
  params: { path: Record<string, unknown>; query: Record<string, unknown> };
  body?: unknown;
}

interface Answered {
  data?: unknown;
  error?: unknown;
  response: Response;
}

/** The client's methods are typed by path; a tool's path is data. */
type SendAny = (method: string, path: string, sent: Sent & { parseAs: 'text' }) => Promise<Answered>;

/** @param args from the assistant; problems with them are the result, so that it can correct them */
export async function callTool(
  client: ApiClient,
  tool: ApiTool,
  args: Readonly<Record<string, unknown>>,
): Promise<CallToolResult> {
  const problems = findProblems(tool, args);
  if (problems.length > 0) return failure(['invalid_request: the arguments do not fit.', ...problems]);
  const send = client.request as unknown as SendAny;
  const answer = await send(tool.method.toLowerCase(), tool.path, {
    ...place(tool, args),
    parseAs: 'text',
  }).catch(reasonOf);
  if (typeof answer === 'string') return failure([`Patchbay does not answer (${answer}). Try again later.`]);
  const { data, error, response } = answer;
  if (!response.ok) return failure(describeError(error, response.status));
  return success(typeof data === 'string' ? data : '');
}

function findProblems({ places, inputSchema }: ApiTool, args: Readonly<Record<string, unknown>>): string[] {
  const unknown = Object.keys(args).filter((name) => !places.has(name));
  const missing = (inputSchema.required ?? []).filter((name) => {
    const value = args[name];
    return value === undefined || value === null || (value === '' && places.get(name) === 'path');
  });
  const misleading = [...places].filter(
    ([name, where]) => where === 'path' && DOT_SEGMENTS.includes(String(args[name])),
  );
  const nested = [...places].filter(
    ([name, where]) => where !== 'body' && typeof args[name] === 'object' && args[name] !== null,
  );
  return [
    ...unknown.map((name) => `${name}: Unknown argument: remove it.`),
    ...missing.map((name) => `${name}: Enter a value.`),
    ...misleading.map(([name]) => `${name}: This names nothing.`),
    ...nested.map(([name]) => `${name}: Enter a text or a number.`),
  ];
}

function place({ places }: ApiTool, args: Readonly<Record<string, unknown>>): Sent {
  const sent: Sent = { params: { path: {}, query: {} } };
  for (const [name, where] of places) {
    const value = args[name];
    if (value === undefined || value === null) continue;
    if (where === 'body') sent.body = value;
    else sent.params[where][name] = value;
  }
  return sent;
}

/** An approval link allows its reader to decide, which is for people. */
function success(answer: string): CallToolResult {
  const text = hideLinks(answer);
  if (text === '') return { content: [{ type: 'text', text: 'Done.' }] };
  if (text.length > MAX_RESULT_CHARACTERS)
    return {
      content: [
        { type: 'text', text: text.slice(0, MAX_RESULT_CHARACTERS) },
        {
          type: 'text',
          text: `Only the first ${MAX_RESULT_CHARACTERS} of ${text.length} characters are here. Ask for less, such as by a lower limit.`,
        },
      ],
    };
  return {
    content: [{ type: 'text', text }],
    structuredContent: parseJson(text),
  };
}

const failure = (lines: readonly string[]): CallToolResult => ({
  content: [{ type: 'text', text: lines.join('\n') }],
  isError: true,
});

interface ErrorBody {
  error?: { code?: string; message?: string; problems?: { path: string; message: string }[] };
}

function describeError(body: unknown, status: number): string[] {
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as ErrorBody;
  if (!error?.code) return [`Status ${status}: this is not an answer of Patchbay's API.`];
  const problems = error.problems ?? [];
  return [
    `${error.code}: ${error.message ?? ''}`,
    ...problems.map(({ path, message }) => `${path ? `${path}: ` : ''}${message}`),
  ];
}
