// Unsaved drafts in IndexedDB: they survive a reload, a crash and an expired session. A draft is stored from its first change
// until the server has saved it, and until its author signs out.
import type { CanvasDocument } from '#lib/editor/canvas/document.ts';
import { transact } from './browser-store.ts';

export interface KeptDraft {
  /** One per open editor: two tabs do not overwrite each other's. */
  id: string;
  workflowId: string;
  /** The author; other users of this browser do not see them. */
  userId: string;
  /** ISO 8601. */
  keptAt: string;
  /** The server's revision that it is based on. */
  revision: number;
  nextTaskId: number;
  document: CanvasDocument;
}

/** Stores a draft by its id. @throws DOMException where storage is unavailable */
export const keepDraft = async (draft: KeptDraft): Promise<void> =>
  void (await transact('drafts', 'readwrite', (store) => store.put(draft)));

/** Deletes drafts by their ids. @throws DOMException */
export async function forgetDrafts(ids: readonly string[]): Promise<void> {
  for (const id of ids) await transact('drafts', 'readwrite', (store) => store.delete(id));
}

/** A user's unsaved drafts of a workflow, newest first. @throws DOMException */
export async function listKeptDrafts(owner: Pick<KeptDraft, 'userId' | 'workflowId'>): Promise<KeptDraft[]> {
  const all = await transact('drafts', 'readonly', (store) => store.getAll() as IDBRequest<KeptDraft[]>);
  return all
    .filter(({ userId, workflowId }) => userId === owner.userId && workflowId === owner.workflowId)
    .toSorted((a, b) => b.keptAt.localeCompare(a.keptAt));
}
