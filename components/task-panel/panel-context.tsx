'use client';
import { createContext, use } from 'react';
import type { SampleValues } from '#lib/editor/canvas/sample-scope.ts';
import type { VariableGroup } from '#lib/editor/canvas/available-variables.ts';
import type { FormField } from '#lib/editor/canvas/form-fields.ts';
import type { CanvasProblem } from '#lib/editor/canvas/problem-types.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';

export interface PanelValue {
  task: WorkflowTask;
  /** The settings of the task's type. */
  fields: readonly FormField[];
  values: SampleValues;
  groups: readonly VariableGroup[];
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
