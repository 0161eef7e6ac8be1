import { type RefObject, useEffect } from 'react';
import { useEditor } from '#components/editor/editor-context.tsx';
import { isTyping } from '#components/editor/is-typing.ts';
import { later } from '#components/ui/later.ts';

const loadReader = later(() => import('#lib/editor/canvas/read-fragment.ts'));

/** Copy, cut and paste of tasks through the system's clipboard, also between workflows and windows. */
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
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (!text.includes('"patchbay"')) return;
      event.preventDefault();
      const paste = ({ readFragment }: Awaited<ReturnType<typeof loadReader>>) => {
        const fragment = readFragment(text);
        if (fragment) editor.paste(fragment);
        else editor.onRefusal('The clipboard does not hold complete Patchbay tasks. Copy them again.');
      };
      loadReader().then(paste, (error: Error) => editor.onRefusal(error.message));
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
