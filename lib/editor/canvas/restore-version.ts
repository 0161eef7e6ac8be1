import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { type CanvasDocument, toDocument } from './document.ts';

/**
 * The draft after restoring a version. The version's notes are restored; later notes stay, because no version has them and
 * only people read them.
 */
export function restoreVersion(
  version: WorkflowGraph & { name: string },
  draft: Pick<CanvasDocument, 'notes'>,
): CanvasDocument {
  const restored = toDocument(version);
  const known = new Set(restored.notes.map(({ id }) => id));
  return { ...restored, notes: [...restored.notes, ...draft.notes.filter(({ id }) => !known.has(id))] };
}
