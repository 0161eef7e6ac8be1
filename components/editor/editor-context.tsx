'use client';
import { createContext, use } from 'react';
import type { Editor } from './editor.ts';
import type { EditorActions } from './editor-actions.ts';
import type { EditorState } from './editor-state.ts';
import { useStore } from './store.ts';

export interface EditorContextValue {
  editor: Editor;
  actions: EditorActions;
  /** Saves unsaved changes; false when that failed. */
  flush: () => Promise<boolean>;
}

export const EditorContext = createContext<EditorContextValue | null>(null);

/** The editor around this component. */
export function useEditorContext(): EditorContextValue {
  const value = use(EditorContext);
  if (!value) throw new Error('This belongs inside the editor.');
  return value;
}

export const useEditor = (): Editor => useEditorContext().editor;

/** A part of the editor's state. */
export const useEditorState = <Part,>(select: (state: EditorState) => Part): Part =>
  useStore(useEditor().store, select);
