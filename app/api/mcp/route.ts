// The MCP server (docs/mcp.md). Its code is loaded by the first request, because few installations use it.
import { processRuntime } from '#lib/core/process-runtime.ts';

export const dynamic = 'force-dynamic';
export const runtime = 'nodejs';

const handle = async (request: Request): Promise<Response> => {
  const { handleMcpRequest } = await import('#lib/mcp/handle-request.ts');
  return handleMcpRequest(await processRuntime(), request);
};

export {
  handle as GET,
  handle as POST,
  handle as PUT,
  handle as PATCH,
  handle as DELETE,
  handle as HEAD,
  handle as OPTIONS,
};
