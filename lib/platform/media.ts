import { toText } from '#lib/variables/to-text.ts';
import { callGraph, type GraphAccess, lostAnswer } from './graph.ts';

export interface MediaFacts {
  id: string;
  /** Good for five minutes, with the access token only. */
  url: string;
  mimeType: string;
  bytes: number;
}

/** Uploads a file so that messages can name its id. @throws PlatformError */
export async function uploadMedia(
  access: GraphAccess,
  phoneNumberId: string,
  file: { name: string; mimeType: string; content: Uint8Array<ArrayBuffer> },
): Promise<string> {
  const form = new FormData();
  form.set('messaging_product', access.settings.product);
  form.set('type', file.mimeType);
  form.set('file', new Blob([file.content], { type: file.mimeType }), file.name);
  const answer = await callGraph(access, { method: 'POST', path: [phoneNumberId, 'media'], form });
  const id = toText(answer['id']);
  if (id === '') throw lostAnswer(200, 'It answered without the id of the file.');
  return id;
}

/** Where an uploaded or received file can be downloaded. @throws PlatformError */
export async function getMedia(access: GraphAccess, mediaId: string): Promise<MediaFacts> {
  const media = await callGraph(access, { method: 'GET', path: [mediaId] });
  return {
    id: mediaId,
    url: toText(media['url']),
    mimeType: toText(media['mime_type']),
    bytes: Number(toText(media['file_size'])),
  };
}
