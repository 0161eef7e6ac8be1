import { useEffect, useRef } from 'react';
import type { Editor } from '#components/editor/editor.ts';
import type { EditorActions } from '#components/editor/editor-actions.ts';
import { useEditorContext } from '#components/editor/editor-context.tsx';
import { useStore } from '#components/editor/store.ts';
import { later } from '#components/ui/later.ts';

const loadUses = later(() => import('#lib/tasks/connection-uses.ts'));

/** Debounce, because picks often follow each other. */
const QUIET_MS = 400;
/** Maximum age of the platform's data in an open editor. */
const MAX_AGE_SECONDS = 600;
/** Maximum age of data shown right before publishing, which checks again itself. */
const FRESH_SECONDS = 5;

type Actions = Pick<EditorActions, 'loadFacts'>;

/** Loads the platform's data about what the draft picks. */
export function usePlatformFacts(editor: Editor, actions: Actions): void {
  const tasks = useStore(editor.store, (state) => state.history.present.tasks);
  const asked = useRef<string>(undefined);
  useEffect(() => {
    const timer = setTimeout(() => {
      void listUses(editor).then((uses) => {
        const key = JSON.stringify(uses);
        if (uses.length === 0 || key === asked.current) return;
        asked.current = key;
        return load(editor, actions, MAX_AGE_SECONDS);
      });
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [tasks, editor, actions]);
}

/** Reloads when something opens that depends on it. */
export function useFreshFacts(): void {
  const { editor, actions } = useEditorContext();
  useEffect(() => void load(editor, actions, FRESH_SECONDS), [editor, actions]);
}

/** Reloads after the server has found something unknown here. */
export const reloadFacts = (editor: Editor, actions: Actions): Promise<void> =>
  load(editor, actions, FRESH_SECONDS);

async function load(editor: Editor, actions: Actions, maxAgeSeconds: number): Promise<void> {
  const uses = await listUses(editor);
  if (uses.length === 0) return;
  // Offline, the known data stays: publishing checks again.
  const result = await actions
    .loadFacts({ id: editor.workflowId, uses, maxAgeSeconds })
    .catch(() => undefined);
  if (result?.ok) editor.store.set({ facts: result.data });
}

async function listUses({ document }: Editor) {
  // Without its code nothing is loaded until it can be fetched.
  const code = await loadUses().catch(() => undefined);
  return code?.listConnectionUses(document.tasks) ?? [];
}
