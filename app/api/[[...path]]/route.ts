// Unknown paths of the API are answered as JSON, not as a page; `/api` itself, too.
import { handleApiRequest } from '#lib/api/route.ts';
import { processRuntime } from '#lib/core/process-runtime.ts';

export const dynamic = 'force-dynamic';
export const runtime = 'nodejs';

const handle = async (request: Request): Promise<Response> =>
  handleApiRequest(await processRuntime(), request);

export {
  handle as GET,
  handle as POST,
  handle as PUT,
  handle as PATCH,
  handle as DELETE,
  handle as HEAD,
  handle as OPTIONS,
};
