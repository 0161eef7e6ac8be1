import type { MediaKind } from '#lib/messaging/sending/media-formats.ts';

export interface SentFile {
  media_id: string;
  kind: MediaKind;
}

export interface SendFileOptions {
  connectionId: string;
  phoneNumberId: string;
  signal: AbortSignal;
  /** From 0 to 1: the uploaded share. */
  onProgress: (part: number) => void;
}

const NO_ANSWER = 'The upload failed. Check your internet connection and try again.';

/**
 * Uploads a file to the platform. With XMLHttpRequest, because `fetch` reports no upload progress.
 * @throws Error for the user
 */
export function sendFile(
  file: File,
  { connectionId, phoneNumberId, signal, onProgress }: SendFileOptions,
): Promise<SentFile> {
  const query = new URLSearchParams({
    connection: connectionId,
    phone_number: phoneNumberId,
    name: file.name,
  });
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/media?${query}`);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(new Error(NO_ANSWER));
    request.onabort = () => reject(new DOMException('Cancelled', 'AbortError'));
    request.onload = () => {
      const answer = readAnswer(request.responseText);
      if (request.status === 200 && answer?.media_id) resolve(answer as SentFile);
      else reject(new Error(answer?.error?.message ?? NO_ANSWER));
    };
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

function readAnswer(text: string): (Partial<SentFile> & { error?: { message?: string } }) | undefined {
  try {
    return JSON.parse(text) as Partial<SentFile>;
  } catch {
    return undefined;
  }
}
