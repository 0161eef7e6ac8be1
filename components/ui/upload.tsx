'use client';
import { Button } from './button.tsx';

/** Shown for an upload without an answer, or with one that is not JSON. */
export const NO_UPLOAD_ANSWER = 'The upload failed. Check your internet connection and try again.';

export interface UploadOptions {
  signal: AbortSignal;
  /** From 0 to 1: the uploaded share. */
  onProgress: (part: number) => void;
}

/** The response to an upload; undefined: none arrived, or it is not JSON. */
export interface UploadAnswer {
  isOk: boolean;
  body: unknown;
}

/**
 * Uploads a file. With XMLHttpRequest, because `fetch` reports no upload progress.
 * @throws DOMException when it was cancelled
 */
export const uploadFile = (
  file: File,
  url: string,
  { signal, onProgress }: UploadOptions,
): Promise<UploadAnswer | undefined> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => resolve(undefined);
    request.onabort = () => reject(new DOMException('Cancelled', 'AbortError'));
    request.onload = () => resolve(readAnswer(request));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });

function readAnswer({ status, responseText }: XMLHttpRequest): UploadAnswer | undefined {
  try {
    return { isOk: status === 200, body: JSON.parse(responseText) as unknown };
  } catch {
    return undefined;
  }
}

export interface UploadProgressProps {
  name: string;
  /** From 0 to 1. */
  part: number;
  /** What happens to the file once it has arrived. */
  arrived: string;
  cancel: () => void;
}

/** How much of a file is uploaded, with a way out. */
export function UploadProgress({ name, part, arrived, cancel }: UploadProgressProps) {
  const percent = Math.round(part * 100);
  return (
    <div className="flex w-full items-center gap-3">
      <div className="min-w-0 flex-1">
        <p role="status" className="truncate text-sm">
          {percent < 100 ? `Uploading ${name}: ${percent} %` : arrived}
        </p>
        <progress
          aria-label={`Uploading ${name}`}
          value={part}
          max={1}
          className="mt-1 block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
        />
      </div>
      <Button size="sm" variant="ghost" onClick={cancel}>
        Cancel
      </Button>
    </div>
  );
}
