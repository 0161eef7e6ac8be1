// The resumable upload of sample files for message templates: a session for the app, then the bytes.
import * as z from 'zod';
import { text } from '#lib/messaging/platform-fields.ts';
import { callGraph, type GraphAccess, lostAnswer } from './graph.ts';
import { PlatformError } from './platform-error.ts';

const sessionSchema = z.object({ id: text });
const uploadedSchema = z.object({ h: text });

/** Uploads a sample file. @returns the handle that names it in `example.header_handle` @throws PlatformError */
export async function uploadSampleFile(
  access: GraphAccess,
  file: { name: string; mimeType: string; content: Blob },
): Promise<string> {
  const { clientId } = access.settings;
  if (clientId === undefined) throw new PlatformError('not_configured');
  const session = sessionSchema.parse(
    await callGraph(access, {
      method: 'POST',
      path: [clientId, 'uploads'],
      query: { file_name: file.name, file_length: String(file.content.size), file_type: file.mimeType },
    }),
  );
  if (session.id === '') throw lostAnswer(200, 'Its response has no upload session.');
  // The id may carry a signature as its query.
  const [id = '', query = ''] = session.id.split('?', 2);
  const content = file.content.stream();
  const answer = await callGraph(access, {
    method: 'POST',
    path: [id],
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: { authorization: `OAuth ${access.accessToken}`, file_offset: '0' },
    upload: { contentType: file.mimeType, bytes: file.content.size, chunks: () => content },
  });
  const { h } = uploadedSchema.parse(answer);
  if (h === '') throw lostAnswer(200, 'Its response has no file handle.');
  return h;
}
