// `patchbay mcp`: the MCP server over standard input and output, for assistants on this machine. It calls the REST API of the
// installation of PATCHBAY_URL and PATCHBAY_API_KEY. A separate program, so that no other one loads the protocol.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer } from '#lib/mcp/create-server.ts';
import { listTools, type OpenApiDocument } from '#lib/mcp/list-tools.ts';
import { type Api, ApiError, connect, take } from './cli/api/api.ts';

try {
  const api = connect(process.env);
  const { effective_scope: scope } = await take(api, api.client.GET('/api-keys/current'));
  const tools = listTools(await loadDocument(api));
  serveStdio(() => createServer({ client: api.client, tools, scope }));
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** The installation's document, which may have another version than this program. */
async function loadDocument(api: Api): Promise<OpenApiDocument> {
  const response = await fetch(new URL('/api/v1/openapi.json', api.url));
  if (response.ok) return (await response.json()) as OpenApiDocument;
  throw new ApiError(`${api.url} does not describe its API (status ${response.status}).`, response.status);
}
