'use client';
import { usePathname } from 'next/navigation';
import { isEditorPath } from './is-editor-path.ts';

/** Id of the canvas, the target of the skip link. */
export const CANVAS_ID = 'canvas';

/** The first tab stop: skips the navigation, and in the editor everything beside the canvas. */
export function SkipLink() {
  const isEditor = isEditorPath(usePathname());
  return (
    <a
      href={isEditor ? `#${CANVAS_ID}` : '#main'}
      className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-4 py-2 font-medium text-accent-ink focus:translate-y-0"
    >
      {isEditor ? 'Skip to the canvas' : 'Skip to content'}
    </a>
  );
}
