// IndexedDB: unsaved work survives a reload, a crash and an expired session.
const DATABASE = 'patchbay-drafts';
const VERSION = 2;
const STORES = ['drafts', 'tried'] as const;

export type StoreName = (typeof STORES)[number];

/** One request to one store, as a transaction. @throws DOMException where storage is unavailable */
export async function transact<Result>(
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
