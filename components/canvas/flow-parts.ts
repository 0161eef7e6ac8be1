// One object for all canvases: React Flow draws everything anew when it changes.
import { ExitEdge } from './exit-edge.tsx';
import { NoteNode } from './note-node.tsx';
import { TaskNode } from './task-node.tsx';

export const NODE_TYPES = { task: TaskNode, note: NoteNode };
export const EDGE_TYPES = { exit: ExitEdge };

export const FIT_OPTIONS = { padding: 0.2, maxZoom: 1, minZoom: 0.05 };
export const MIN_ZOOM = 0.05;
export const MAX_ZOOM = 2;

const PHONE_WIDTH_PX = 768;

/**
 * What the editor shows at first: the whole drawing beside the list of tasks, which covers the left edge; on phones
 * its beginning, where a long drawing would be too small to read.
 * @param firstNodes ids of the canvas.
 */
export function editorFitOptions(firstNodes: readonly string[] = []) {
  if (typeof window === 'undefined') return FIT_OPTIONS;
  if (window.innerWidth < PHONE_WIDTH_PX)
    return firstNodes.length === 0
      ? FIT_OPTIONS
      : { ...FIT_OPTIONS, nodes: firstNodes.map((id) => ({ id })) };
  const padding = { top: '48px', right: '64px', bottom: '96px', left: '264px' } as const;
  return { ...FIT_OPTIONS, padding };
}
