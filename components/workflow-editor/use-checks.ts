import { useEffect, useRef } from 'react';
import type { checkDraft } from '#lib/editor/canvas/check-draft.ts';
import type { Editor } from '#components/editor/editor.ts';
import { useStore } from '#components/editor/store.ts';

const QUIET_MS = 200;

type CheckDrawing = typeof checkDraft;

/** Checks the draft a moment after each change; what it is checked by is fetched with the first one. */
export function useChecks(editor: Editor): void {
  const document = useStore(editor.store, (state) => state.history.present);
  const published = useStore(editor.store, (state) => state.live.publishedGraph);
  const checked = useRef({ document, published });
  useEffect(() => {
    if (checked.current.document === document && checked.current.published === published) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      void check(document, published).then((found) => {
        if (!isCurrent) return;
        checked.current = { document, published };
        editor.store.set(found);
      });
    }, QUIET_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [document, published, editor]);
}

async function check(...[document, published]: Parameters<CheckDrawing>): ReturnType<CheckDrawing> {
  const { checkDraft } = await import('#lib/editor/canvas/check-draft.ts');
  return checkDraft(document, published);
}
