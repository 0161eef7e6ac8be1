// Uploads of lists. Not below /workflows: the proxy matches that, and Next cuts bodies over 10 MB for it.
import { AppError } from '#lib/core/errors.ts';
import { answerJson } from '#lib/identity/auth/answer-json.ts';
import { readCsv } from '#lib/lists/read-csv.ts';
import { createList } from '#lib/lists/upload-list.ts';

/** A type that forms of other sites cannot send, so that browsers require a preflight. */
const CONTENT_TYPE = 'application/octet-stream';

/** Makes a list of the CSV file in the body for `?workflow=`, or finds the one with the same rows. */
export async function POST(request: Request): Promise<Response> {
  return answerJson('editor', async (ctx) => {
    const query = new URL(request.url).searchParams;
    if (request.headers.get('content-type') !== CONTENT_TYPE || !request.body)
      throw new AppError('unsupported_media_type', `Send the file as ${CONTENT_TYPE}.`);
    const name = (query.get('name') ?? '').trim().slice(0, 200) || 'List';
    const { list, isNew } = await createList(ctx, await readCsv(request.body), {
      workflowId: query.get('workflow') ?? '',
      name,
    });
    return { id: list.id, isNew };
  });
}
