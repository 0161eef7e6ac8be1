// Drafts that are not saved yet, in the browser's own database: they outlive a reload, a crash and an expired session.
// A draft is kept from its first change until the server has it, and until its author signs out.
import type { CanvasDocument } from '#lib/editor/canvas/document.ts';
import { transact } from './browser-store.ts';

export interface KeptDraft {
  /** One for each open editor: two tabs do not overwrite each other's. */
  id: string;
  workflowId: string;
  /** Whose changes they are; nobody else who uses this browser is offered them. */
  userId: string;
  /** ISO 8601. */
  keptAt: string;
  /** The server's revision that was changed. */
  revision: number;
  nextTaskId: number;
  document: CanvasDocument;
}

/** Writes a draft over the one with the same id. @throws DOMException where the browser keeps nothing */
export const keepDraft = async (draft: KeptDraft): Promise<void> =>
  void (await transact('drafts', 'readwrite', (store) => store.put(draft)));

/** Forgets drafts by their ids. @throws DOMException */
export async function forgetDrafts(ids: readonly string[]): Promise<void> {
  for (const id of ids) await transact('drafts', 'readwrite', (store) => store.delete(id));
}

/** What a user left unsaved of a workflow, the newest first. @throws DOMException */
export async function listKeptDrafts(owner: Pick<KeptDraft, 'userId' | 'workflowId'>): Promise<KeptDraft[]> {
  const all = await transact('drafts', 'readonly', (store) => store.getAll() as IDBRequest<KeptDraft[]>);
  return all
    .filter(({ userId, workflowId }) => userId === owner.userId && workflowId === owner.workflowId)
    .toSorted((a, b) => b.keptAt.localeCompare(a.keptAt));
}
