'use client';
import { createContext, use } from 'react';
import { useEditor } from '#components/editor/editor-context.tsx';
import type { VariableGroup } from '#lib/editor/canvas/available-variables.ts';
import { updateSettings } from '#lib/editor/canvas/commands.ts';
import { findTask } from '#lib/editor/canvas/document.ts';
import type { FormField } from '#lib/editor/canvas/form-fields.ts';
import type { CanvasProblem } from '#lib/editor/canvas/find-problems.ts';
import type { SampleValues } from '#lib/editor/canvas/sample-scope.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { withSetting } from './setting-text.ts';

export interface PanelValue {
  task: WorkflowTask;
  /** The settings of the task's type. */
  fields: readonly FormField[];
  values: SampleValues;
  groups: readonly VariableGroup[];
  /** For settings that are evaluated after what the task does. */
  groupsAfter: readonly VariableGroup[];
  /** Of this task. */
  problems: readonly CanvasProblem[];
  canEdit: boolean;
}

export const PanelContext = createContext<PanelValue | null>(null);

export function usePanel(): PanelValue {
  const value = use(PanelContext);
  if (!value) throw new Error('This belongs inside a task panel.');
  return value;
}

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
