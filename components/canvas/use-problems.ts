import { useEffect } from 'react';
import type { Editor } from './editor.ts';
import { useStore } from './store.ts';

const QUIET_MS = 200;

/** Looks for problems a moment after each change; the checks are loaded after the canvas is there. */
export function useProblems(editor: Editor): void {
  const document = useStore(editor.store, (state) => state.history.present);
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      void import('#lib/canvas/find-problems.ts').then(({ findProblems }) => {
        if (isCurrent) editor.store.set({ problems: findProblems(document) });
      });
    }, QUIET_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [document, editor]);
}
