/** Puts the keyboard on a task's card, once it has been drawn. */
export function focusTask(taskId: number): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-task-id="${taskId}"]`)?.focus({ preventScroll: true }),
  );
}

/** Puts the keyboard into a note's text, once it has been drawn. */
export function focusNote(noteId: string): void {
  requestAnimationFrame(() =>
    document
      .querySelector<HTMLElement>(`[data-note-id="${noteId}"] textarea`)
      ?.focus({ preventScroll: true }),
  );
}
