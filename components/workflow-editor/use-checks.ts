import { useEffect, useRef } from 'react';
import type { checkDraft } from '#lib/editor/canvas/check-draft.ts';
import type { Editor } from '#components/editor/editor.ts';
import { useStore } from '#components/editor/store.ts';
import { later } from '#components/ui/later.ts';
import { useIsOnline } from '#components/ui/browser-state.ts';

const QUIET_MS = 200;

const loadChecks = later(() => import('#lib/editor/canvas/check-draft.ts'));

type CheckDrawing = typeof checkDraft;

/** Checks the draft shortly after each change; the code for it is loaded with the first one. */
export function useChecks(editor: Editor): void {
  const document = useStore(editor.store, (state) => state.history.present);
  const published = useStore(editor.store, (state) => state.live.publishedGraph);
  const facts = useStore(editor.store, (state) => state.facts);
  const secrets = useStore(editor.store, (state) => state.secrets);
  const isOnline = useIsOnline();
  const checked = useRef({ document, published, facts });
  useEffect(() => {
    const { current } = checked;
    if (current.document === document && current.published === published && current.facts === facts) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      const show = (found: Awaited<ReturnType<CheckDrawing>>) => {
        if (!isCurrent) return;
        checked.current = { document, published, facts };
        editor.store.set(found);
      };
      // Without its code nothing is checked until the browser is back online.
      check(document, published, facts, secrets).then(show, () => undefined);
    }, QUIET_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [document, published, facts, secrets, editor, isOnline]);
}

async function check(...input: Parameters<CheckDrawing>): ReturnType<CheckDrawing> {
  const { checkDraft } = await loadChecks();
  return checkDraft(...input);
}
