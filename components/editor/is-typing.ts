/** Whether keys belong to something that is typed or chosen in, so that no shortcut may take them. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return (
    target.closest(
      'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], [cmdk-root]',
    ) !== null
  );
}
