/** Puts the keyboard on a task's card, once it has been drawn. */
export function focusTask(taskId: number): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-task-id="${taskId}"]`)?.focus({ preventScroll: true }),
  );
}
