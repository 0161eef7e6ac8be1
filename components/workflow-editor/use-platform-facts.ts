import { useEffect, useRef } from 'react';
import type { Editor } from '#components/editor/editor.ts';
import type { EditorActions } from '#components/editor/editor-actions.ts';
import { useEditorContext } from '#components/editor/editor-context.tsx';
import { useStore } from '#components/editor/store.ts';
import { later } from '#components/ui/later.ts';

const loadUses = later(() => import('#lib/tasks/connection-uses.ts'));

/** Picking is often followed by picking something else. */
const QUIET_MS = 400;
/** While an editor is open, what it shows of the platform is at most that old. */
const MAX_AGE_SECONDS = 600;
/** Of what is shown right before publishing, which asks again itself. */
const FRESH_SECONDS = 5;

type Actions = Pick<EditorActions, 'loadFacts'>;

/** Keeps what the editor knows of the platform in step with what the draft picks. */
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

/** Asks again as something opens that decides by it. */
export function useFreshFacts(): void {
  const { editor, actions } = useEditorContext();
  useEffect(() => void load(editor, actions, FRESH_SECONDS), [editor, actions]);
}

/** After the server found something that was not known here. */
export const reloadFacts = (editor: Editor, actions: Actions): Promise<void> =>
  load(editor, actions, FRESH_SECONDS);

async function load(editor: Editor, actions: Actions, maxAgeSeconds: number): Promise<void> {
  const uses = await listUses(editor);
  if (uses.length === 0) return;
  // Offline, what is known stays: publishing asks again.
  const result = await actions
    .loadFacts({ id: editor.workflowId, uses, maxAgeSeconds })
    .catch(() => undefined);
  if (result?.ok) editor.store.set({ facts: result.data });
}

async function listUses({ document }: Editor) {
  // Without its code nothing is asked until it can be fetched.
  const code = await loadUses().catch(() => undefined);
  return code?.listConnectionUses(document.tasks) ?? [];
}
