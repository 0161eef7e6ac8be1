/** Whether an element needs the keyboard for typing or selecting, so that shortcuts do not apply. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return (
    target.closest(
      'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], [cmdk-root]',
    ) !== null
  );
}
