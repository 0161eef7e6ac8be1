// Undo and redo of whole documents: they share unchanged parts, so that a step is cheap.
import type { CanvasDocument } from './document.ts';

const MAX_STEPS = 200;
/** Changes of one field within this time are one step. */
const MERGE_WITHIN_MS = 1000;

interface Step {
  document: CanvasDocument;
  /** Name of the step after this document: "Add a task". */
  label: string;
}

export interface History {
  readonly past: readonly Step[];
  readonly present: CanvasDocument;
  readonly future: readonly Step[];
  readonly last: { mergeKey: string; at: number } | undefined;
}

export interface Change {
  label: string;
  /** Consecutive changes with the same key are undone together. */
  mergeKey?: string;
  /** Milliseconds since 1970. */
  at: number;
}

export const startHistory = (present: CanvasDocument): History => ({
  past: [],
  present,
  future: [],
  last: undefined,
});

/** The history with one more document; unchanged when the document is. */
export function record(history: History, next: CanvasDocument, change: Change): History {
  if (next === history.present) return history;
  const { last, past, present } = history;
  const { mergeKey, at, label } = change;
  const merges = last !== undefined && last.mergeKey === mergeKey && at - last.at < MERGE_WITHIN_MS;
  return {
    past: merges ? past : [...past, { document: present, label }].slice(-MAX_STEPS),
    present: next,
    future: [],
    last: mergeKey === undefined ? undefined : { mergeKey, at },
  };
}

/** The same step with another document: undo and redo stay. */
export const replacePresent = (history: History, present: CanvasDocument): History => ({
  ...history,
  present,
});

export function undo(history: History): History {
  const step = history.past.at(-1);
  if (!step) return history;
  const redone = { document: history.present, label: step.label };
  return {
    past: history.past.slice(0, -1),
    present: step.document,
    future: [redone, ...history.future],
    last: undefined,
  };
}

export function redo(history: History): History {
  const [step, ...future] = history.future;
  if (!step) return history;
  const undone = { document: history.present, label: step.label };
  return { past: [...history.past, undone], present: step.document, future, last: undefined };
}
