// Typed secrets are stored encrypted, and the server returns their placeholders. The canvas shows them as soon as the user
// stops typing, so that a secret does not stay on the screen and a diff finds no difference.
import { type CanvasDocument, findTask } from '#lib/editor/canvas/document.ts';
import { replacePresent } from '#lib/editor/canvas/history.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import type { Editor } from '#components/editor/editor.ts';
import { isTyping } from '#components/editor/focus.ts';

type Settings = WorkflowTask['settings'];

export class SealedSettings {
  readonly #editor: Editor;
  /** By task: the sent settings, and the stored ones. */
  readonly #waiting = new Map<number, { sent: Settings; stored: Settings }>();

  constructor(editor: Editor) {
    this.#editor = editor;
    document.addEventListener('focusout', this.#showSoon);
  }

  close(): void {
    document.removeEventListener('focusout', this.#showSoon);
  }

  /** @param sent the document that was saved @param sealed the tasks whose stored settings differ */
  add(sent: CanvasDocument, sealed: readonly WorkflowTask[]): void {
    for (const { id, settings } of sealed) {
      const task = findTask(sent, id);
      if (task) this.#waiting.set(id, { sent: task.settings, stored: settings });
    }
    this.show();
  }

  /** Called when the canvas shows the stored settings. */
  onShown: (before: CanvasDocument, after: CanvasDocument) => void = () => undefined;

  show(): void {
    if (this.#waiting.size === 0 || isTyping(document.activeElement)) return;
    const before = this.#editor.document;
    const tasks = before.tasks.map((task) => {
      const waiting = this.#waiting.get(task.id);
      return waiting?.sent === task.settings ? { ...task, settings: waiting.stored } : task;
    });
    this.#waiting.clear();
    if (tasks.every((task, index) => task === before.tasks[index])) return;
    const after = { ...before, tasks };
    this.onShown(before, after);
    this.#editor.store.set({ history: replacePresent(this.#editor.state.history, after) });
  }

  /** After the next element has received the focus. */
  readonly #showSoon = (): void => void setTimeout(() => this.show());
}
