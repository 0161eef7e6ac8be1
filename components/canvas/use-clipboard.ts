import { type RefObject, useEffect } from 'react';
import { readFragment } from '#lib/canvas/clipboard.ts';
import { useEditor } from './editor-context.tsx';
import { isTyping } from './is-typing.ts';

/** Copy, cut and paste of tasks through the system's clipboard, so that they get to other workflows and windows. */
export function useClipboard(area: RefObject<HTMLElement | null>): void {
  const editor = useEditor();
  useEffect(() => {
    const isOurs = (event: ClipboardEvent) => {
      const focused = document.activeElement;
      const isHere = focused === document.body || area.current?.contains(focused) === true;
      return isHere && !isTyping(focused) && !isTyping(event.target);
    };
    const copy = (event: ClipboardEvent): boolean => {
      const hasText = document.getSelection()?.toString() !== '';
      const fragment = isOurs(event) && !hasText ? editor.copySelected() : undefined;
      if (!fragment) return false;
      event.clipboardData?.setData('text/plain', JSON.stringify(fragment));
      event.preventDefault();
      return true;
    };
    const onCopy = (event: ClipboardEvent) => void copy(event);
    const onCut = (event: ClipboardEvent) => {
      if (editor.canEdit && copy(event)) editor.removeSelected();
    };
    const onPaste = (event: ClipboardEvent) => {
      if (!isOurs(event)) return;
      const fragment = readFragment(event.clipboardData?.getData('text/plain') ?? '');
      if (!fragment) return;
      event.preventDefault();
      editor.paste(fragment);
    };
    document.addEventListener('copy', onCopy);
    document.addEventListener('cut', onCut);
    document.addEventListener('paste', onPaste);
    return () => {
      document.removeEventListener('copy', onCopy);
      document.removeEventListener('cut', onCut);
      document.removeEventListener('paste', onPaste);
    };
  }, [area, editor]);
}
