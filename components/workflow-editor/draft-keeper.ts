// Stores the unsaved draft of an open editor in the browser, and finds earlier ones.
import { toGraph } from '#lib/editor/canvas/document.ts';
import { isSameJson } from '#lib/core/json/stringify-json.ts';
import type { Editor } from '#components/editor/editor.ts';
import { forgetDrafts, keepDraft, listKeptDrafts } from '#components/editor/browser-store.ts';

export class DraftKeeper {
  readonly #editor: Editor;
  readonly #id = crypto.randomUUID();
  #next: 'keep' | 'forget' | undefined;
  #work: Promise<void> | undefined;

  constructor(editor: Editor) {
    this.#editor = editor;
  }

  /** The draft has unsaved changes. */
  keep(): void {
    this.#do('keep');
  }

  /** The server has saved everything. */
  forget(): void {
    this.#do('forget');
  }

  /** One write at a time; changes during a write are written once, after it. */
  #do(what: 'keep' | 'forget'): void {
    this.#next = what;
    this.#work ??= this.#writeAll().finally(() => {
      this.#work = undefined;
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#next) {
      const what = this.#next;
      this.#next = undefined;
      const isDone = await this.#write(what).then(
        () => true,
        () => false,
      );
      const isKept = isDone && what === 'keep';
      if (isKept !== this.#editor.state.isKept) this.#editor.store.set({ isKept });
    }
  }

  #write(what: 'keep' | 'forget'): Promise<void> {
    if (what === 'forget') return forgetDrafts([this.#id]);
    const { workflowId, userId, document, state } = this.#editor;
    const { revision, nextTaskId } = state;
    const keptAt = new Date().toISOString();
    return keepDraft({ id: this.#id, workflowId, userId, keptAt, revision, nextTaskId, document });
  }

  /** Offers changes that were unsaved when this workflow was last open here; deletes those that equal the server's draft. */
  async offer(): Promise<void> {
    const left = await listKeptDrafts(this.#editor).catch(() => []);
    const others = left.filter(({ id }) => id !== this.#id);
    const now = toGraph(this.#editor.document);
    const [newest] = others.filter(
      ({ document }) => document.name !== this.#editor.document.name || !isSameJson(toGraph(document), now),
    );
    if (newest) this.#editor.store.set({ offered: newest });
    else await this.#forgetOffered(others.map(({ id }) => id));
  }

  /** Restores the offered draft, as one step that can be undone. */
  restore(): void {
    const { offered } = this.#editor.state;
    if (!offered) return;
    this.#editor.restore(offered);
    this.discard();
  }

  /** Deletes the offered draft, and older ones. */
  discard(): void {
    this.#editor.store.set({ offered: undefined });
    const others = async () => (await listKeptDrafts(this.#editor)).filter(({ id }) => id !== this.#id);
    void others()
      .then((left) => this.#forgetOffered(left.map(({ id }) => id)))
      .catch(() => undefined);
  }

  #forgetOffered(ids: readonly string[]): Promise<void> {
    return forgetDrafts(ids).catch(() => undefined);
  }
}
