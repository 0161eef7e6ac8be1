/** Focuses a task's card, once it is rendered. */
export function focusTask(taskId: number): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-task-id="${taskId}"]`)?.focus({ preventScroll: true }),
  );
}

/** Focuses a note's text, once it is rendered. */
export function focusNote(noteId: string): void {
  requestAnimationFrame(() =>
    document
      .querySelector<HTMLElement>(`[data-note-id="${noteId}"] textarea`)
      ?.focus({ preventScroll: true }),
  );
}

/** Whether an element needs the keyboard for typing or selecting, so that shortcuts do not apply. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return (
    target.closest(
      'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], [cmdk-root]',
    ) !== null
  );
}
