import { useEditor } from '#components/editor/editor-context.tsx';
import { updateSettings } from '#lib/editor/canvas/commands.ts';
import { findTask } from '#lib/editor/canvas/document.ts';
import { usePanel } from './panel-context.tsx';
import { withSetting } from './setting-text.ts';

/** Changes some of the open task's settings; undefined removes one. */
export function useChangeSettings(): (changes: Readonly<Record<string, unknown>>) => void {
  const editor = useEditor();
  const { id } = usePanel().task;
  return (changes) => {
    const names = Object.keys(changes);
    if (names.length === 0) return;
    editor.run(
      'Change settings',
      (document) => {
        // The current ones: several fields may change before the next render.
        const settings = findTask(document, id)?.settings ?? {};
        const changed = names.reduce((all, name) => withSetting(all, name, changes[name]), settings);
        return updateSettings(document, id, changed);
      },
      `settings:${id}:${names.join()}`,
    );
  };
}
