// Names of uploaded files, stored in this browser, because the platform does not return them.
const KEY = 'patchbay:uploaded-files';
const MAX_KEPT = 200;

/** The name of an uploaded file, if it was uploaded in this browser. */
export const findUploadedName = (mediaId: string): string | undefined =>
  read().find(([id]) => id === mediaId)?.[1];

export function keepUploadedName(mediaId: string, name: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([[mediaId, name], ...read()].slice(0, MAX_KEPT)));
  } catch {
    // Storage is full or disabled: the id is shown instead.
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
