import { createContext } from 'react';
import type { Editor } from '#components/editor/editor.ts';

/** The editor that the canvas belongs to; null on a canvas that is only looked at. */
export const CanvasMode = createContext<Editor | null>(null);
