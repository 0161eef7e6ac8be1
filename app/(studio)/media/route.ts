// Files for messages, and with `for=template_sample` those for message templates. Not below /connections: the proxy matches that, and Next cuts bodies over 10 MB for it.
import { AppError } from '#lib/core/errors.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';
import { uploadSample } from '#lib/messaging/message-templates/edit-message-templates.ts';
import { uploadMedia } from '#lib/messaging/sending/upload-media.ts';
import { answerJson } from '#lib/identity/auth/answer-json.ts';

/** A type that forms of other sites cannot send, so that browsers require a preflight. */
const CONTENT_TYPE = 'application/octet-stream';

/** Streams the body: 100 MB pass without being held in memory. */
export async function POST(request: Request): Promise<Response> {
  return answerJson('editor', async (ctx) => {
    const query = new URL(request.url).searchParams;
    const required = (name: string): string => {
      const value = query.get(name);
      if (value) return value;
      throw new AppError('invalid_request', `The parameter ${name} is missing.`);
    };
    const [connectionId, fileName] = [required('connection'), required('name')];
    const isSample = query.get('for') === 'template_sample';
    const phoneNumberId = isSample ? '' : required('phone_number');
    if (request.headers.get('content-type') !== CONTENT_TYPE || !request.body)
      throw new AppError('unsupported_media_type', `Send the file as ${CONTENT_TYPE}.`);
    const announced = request.headers.get('content-length');
    const file = {
      connectionId,
      fileName: fileName.slice(0, 240),
      bytes: announced === null ? undefined : Number(announced),
      content: request.body,
    };
    const messaging = toMessagingContext(ctx);
    return isSample ? uploadSample(messaging, file) : uploadMedia(messaging, { ...file, phoneNumberId });
  });
}
