// Outputs from trying single tasks, in IndexedDB: they are the sample of the following tasks until another event is selected.
import type { Sample } from '#lib/editor/canvas/sample-types.ts';
import { transact } from './browser-store.ts';
import type { Editor } from './editor.ts';

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
