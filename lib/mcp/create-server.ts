// An MCP server for the REST API, independent of the transport.
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { ApiClient } from '#lib/api/client/create-api-client.ts';
import { VERSION } from '#lib/core/version.ts';
import { hasScope, type KeyScope } from '#lib/identity/api-keys/scopes.ts';
import { callTool } from './call-tool.ts';
import { INSTRUCTIONS } from './instructions.ts';
import type { ApiTool } from './list-tools.ts';

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
