// The platform does not tell what an uploaded file was called: this browser remembers.
const KEY = 'patchbay:uploaded-files';
const MAX_KEPT = 200;

/** What the file with a media id was called, if it was uploaded in this browser. */
export const findUploadedName = (mediaId: string): string | undefined =>
  read().find(([id]) => id === mediaId)?.[1];

export function keepUploadedName(mediaId: string, name: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([[mediaId, name], ...read()].slice(0, MAX_KEPT)));
  } catch {
    // Full or switched off: the id is shown instead.
  }
}

function read(): [id: string, name: string][] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '[]') as unknown;
    return Array.isArray(kept) ? (kept as [string, string][]) : [];
  } catch {
    return [];
  }
}
