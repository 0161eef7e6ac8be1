import type { CanvasDocument } from '#lib/editor/canvas/document.ts';
import type { Sample } from '#lib/editor/canvas/sample-scope.ts';
import type { Editor } from './editor.ts';

// IndexedDB: unsaved work survives a reload, a crash and an expired session.
const DATABASE = 'patchbay-drafts';
const VERSION = 2;
const STORES = ['drafts', 'tried'] as const;

export type StoreName = (typeof STORES)[number];

/** One request to one store, as a transaction. @throws DOMException where storage is unavailable */
async function transact<Result>(
  name: StoreName,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(name, mode);
      const request = work(transaction.objectStore(name));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? new DOMException('Aborted', 'AbortError'));
    });
  } finally {
    database.close();
  }
}

/** Deletes everything in this browser's storage. @throws DOMException */
export async function forgetAll(): Promise<void> {
  for (const name of STORES) await transact(name, 'readwrite', (store) => store.clear());
}

const open = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, VERSION);
    request.onupgradeneeded = () => {
      const { objectStoreNames } = request.result;
      for (const name of STORES)
        if (!objectStoreNames.contains(name)) request.result.createObjectStore(name, { keyPath: 'id' });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new DOMException('Not opened', 'UnknownError'));
  });

// Unsaved drafts in IndexedDB: they survive a reload, a crash and an expired session. A draft is stored from its first change
// until the server has saved it, and until its author signs out.

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

// Outputs from trying single tasks, in IndexedDB: they are the sample of the following tasks until another event is selected.

export interface KeptTries {
  id: string;
  /** The event that was used. */
  eventId: string | undefined;
  /** JSON of outputs by task id. */
  outputs: Readonly<Record<number, string>>;
}

/** Restores earlier tries, and stores new ones. @returns stops it */
export function keepTries(editor: Editor): () => void {
  const id = `${editor.userId} ${editor.workflowId}`;
  let known = editor.state.triedOutputs;
  const stop = editor.store.subscribe(() => {
    const { triedOutputs, sample } = editor.state;
    if (triedOutputs === known) return;
    known = triedOutputs;
    const kept: KeptTries = { id, eventId: sample?.eventId, outputs: triedOutputs };
    // Without storage, they last until the page closes.
    void transact('tried', 'readwrite', (store) => store.put(kept)).catch(() => undefined);
  });
  void transact('tried', 'readonly', (store) => store.get(id) as IDBRequest<KeptTries | undefined>)
    .then((kept) => {
      const { triedOutputs, sample } = editor.state;
      if (kept) editor.store.set({ triedOutputs: { ...outputsFor(kept, sample), ...triedOutputs } });
    })
    .catch(() => undefined);
  return stop;
}

/** A newer event is a better sample of the tasks that its run executed. */
export function outputsFor(
  { eventId, outputs }: KeptTries,
  sample: Sample | undefined,
): KeptTries['outputs'] {
  if (sample === undefined || sample.eventId === eventId) return outputs;
  const executed = new Set(
    sample.tasks.flatMap(({ taskId, outputText }) => (outputText === undefined ? [] : [String(taskId)])),
  );
  return Object.fromEntries(Object.entries(outputs).filter(([taskId]) => !executed.has(taskId)));
}
