// One object for all canvases: React Flow renders everything again when it changes.
import { ExitEdge } from './exit-edge.tsx';
import { NoteNode } from './note-node.tsx';
import { TaskNode } from './task-node.tsx';

export const NODE_TYPES = { task: TaskNode, note: NoteNode };
export const EDGE_TYPES = { exit: ExitEdge };

export const FIT_OPTIONS = { padding: 0.2, maxZoom: 1, minZoom: 0.05 };
export const MIN_ZOOM = 0.05;
export const MAX_ZOOM = 2;
