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
