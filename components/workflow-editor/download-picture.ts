// Loaded on demand.
import { downloadText } from '#components/workflows/download-text.ts';
import type { CanvasDocument } from '#lib/editor/canvas/document.ts';
import { toPicture } from '#lib/editor/canvas/to-picture.ts';

/** Downloads the workflow on the canvas as an SVG file. */
export const downloadPicture = (document: CanvasDocument): void =>
  downloadText(document.name, 'svg', toPicture(document));
