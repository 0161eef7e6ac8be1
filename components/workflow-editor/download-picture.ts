// Loaded when a picture is asked for.
import { downloadText } from '#components/workflows/download-text.ts';
import type { CanvasDocument } from '#lib/editor/canvas/document.ts';
import { toPicture } from '#lib/editor/canvas/to-picture.ts';

/** Saves the workflow as it stands on the canvas as an SVG file. */
export const downloadPicture = (document: CanvasDocument): void =>
  downloadText(document.name, 'svg', toPicture(document));
