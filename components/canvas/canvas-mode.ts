import { createContext } from 'react';
import type { Editor } from '#components/editor/editor.ts';

/** The editor of the canvas; null on a read-only canvas. */
export const CanvasMode = createContext<Editor | null>(null);

/** Names of the workflows that tasks call, by id, for their cards. */
export const CalledNames = createContext<ReadonlyMap<string, string>>(new Map());

// Lets components around the canvas read and move it; the library is only imported in this folder.
export { ReactFlowProvider as CanvasProvider } from '@xyflow/react';
