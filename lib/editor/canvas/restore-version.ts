import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { type CanvasDocument, toDocument } from './document.ts';

/**
 * The draft after a version was put in its place. The version's notes come back as they were; notes that were written
 * since stay, because no version has them and nothing but people reads them.
 */
export function restoreVersion(
  version: WorkflowGraph & { name: string },
  draft: Pick<CanvasDocument, 'notes'>,
): CanvasDocument {
  const restored = toDocument(version);
  const known = new Set(restored.notes.map(({ id }) => id));
  return { ...restored, notes: [...restored.notes, ...draft.notes.filter(({ id }) => !known.has(id))] };
}
