// What tasks gave when they were tried alone, in the browser's own database: it is the sample of the tasks behind them
// until another event is chosen.
import type { Sample } from '#lib/editor/canvas/sample-types.ts';
import { transact } from './browser-store.ts';
import type { Editor } from './editor.ts';

export interface KeptTries {
  id: string;
  /** The event that they were tried with. */
  eventId: string | undefined;
  /** JSON of outputs by task id. */
  outputs: Readonly<Record<number, string>>;
}

/** What was tried before the page was loaded, and from now on whatever is tried. @returns stops it */
export function keepTries(editor: Editor): () => void {
  const id = `${editor.userId} ${editor.workflowId}`;
  let known = editor.state.triedOutputs;
  const stop = editor.store.subscribe(() => {
    const { triedOutputs, sample } = editor.state;
    if (triedOutputs === known) return;
    known = triedOutputs;
    const kept: KeptTries = { id, eventId: sample?.eventId, outputs: triedOutputs };
    // Where the browser keeps nothing, they last as long as the page.
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

/** An event that came since says more about the tasks that its run executed. */
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
