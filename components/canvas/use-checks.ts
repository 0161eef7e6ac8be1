import { useEffect, useRef } from 'react';
import type { Editor } from './editor.ts';
import { useStore } from './store.ts';

const QUIET_MS = 200;

/** Checks the draft a moment after each change; what it is checked by is fetched with the first one. */
export function useChecks(editor: Editor): void {
  const document = useStore(editor.store, (state) => state.history.present);
  const published = useStore(editor.store, (state) => state.live.publishedGraph);
  const checked = useRef({ document, published });
  useEffect(() => {
    if (checked.current.document === document && checked.current.published === published) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      void import('#lib/canvas/check-drawing.ts').then(({ checkDrawing }) => {
        if (!isCurrent) return;
        checked.current = { document, published };
        editor.store.set(checkDrawing(document, published));
      });
    }, QUIET_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [document, published, editor]);
}
