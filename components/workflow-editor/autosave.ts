// Saves the draft on the server: shortly after the last change, one save at a time, never over another user's.
import { isSameJson } from '#lib/core/json/stringify-json.ts';
import { type CanvasDocument, toDocument, toGraph } from '#lib/editor/canvas/document.ts';
import { findDraftSizeProblem } from '#lib/workflows/draft-size.ts';
import type { Editor } from '#components/editor/editor.ts';
import type { EditorActions } from '#components/editor/editor-actions.ts';
import type { SaveState } from '#components/editor/editor-state.ts';
import type { DraftKeeper } from './draft-keeper.ts';
import { SealedSettings } from './sealed-settings.ts';

const QUIET_MS = 600;
const RETRY_MS = 4000;

export type UnsavedDraft = Pick<DraftKeeper, 'keep' | 'forget'>;

export class Autosave {
  readonly #editor: Editor;
  readonly #actions: Pick<EditorActions, 'saveDraft' | 'loadDraft'>;
  readonly #unsaved: UnsavedDraft;
  readonly #channel: BroadcastChannel;
  readonly #unsubscribe: () => void;
  /** Called when another user's draft has replaced the one on the screen. */
  onAdopted: () => void = () => undefined;
  #saved: CanvasDocument;
  /** The last observed document. */
  #seen: CanvasDocument;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<boolean> | undefined;
  #isSignedOut = false;
  /** Sent without a response: it may have arrived. */
  #unanswered: CanvasDocument | undefined;
  readonly #sealed: SealedSettings;

  /** @param unsaved stores unsaved changes, in case the page is closed */
  constructor(
    editor: Editor,
    actions: Pick<EditorActions, 'saveDraft' | 'loadDraft'>,
    unsaved: UnsavedDraft,
  ) {
    this.#editor = editor;
    this.#actions = actions;
    this.#unsaved = unsaved;
    this.#saved = editor.document;
    this.#seen = editor.document;
    this.#sealed = new SealedSettings(editor);
    this.#sealed.onShown = (before, after) => {
      if (before === this.#saved) this.#saved = after;
    };
    this.#unsubscribe = editor.store.subscribe(() => this.#noticeChange());
    this.#channel = new BroadcastChannel(`patchbay:workflow:${editor.workflowId}`);
    this.#channel.onmessage = ({ data }: MessageEvent<{ revision: number }>) =>
      void this.noticeRevision(data.revision);
    window.addEventListener('beforeunload', this.#askBeforeLeaving);
    window.addEventListener('online', this.#tryAgain);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#unsubscribe();
    this.#sealed.close();
    this.#channel.close();
    window.removeEventListener('beforeunload', this.#askBeforeLeaving);
    window.removeEventListener('online', this.#tryAgain);
  }

  get #isDirty(): boolean {
    return this.#editor.document !== this.#saved;
  }

  readonly #askBeforeLeaving = (event: BeforeUnloadEvent): void => {
    if (this.#isDirty && this.#editor.canEdit) event.preventDefault();
  };

  /** The session has expired: asks for the password once; the draft stays on the screen. */
  noticeSignedOut(): void {
    if (this.#isSignedOut || !this.#editor.canEdit) return;
    this.#isSignedOut = true;
    this.#editor.store.set({ dialog: 'sign_in' });
  }

  /** The server responded: saving may work again. */
  noticeSignedIn(): void {
    this.#isSignedOut = false;
    if (this.#editor.state.dialog === 'sign_in') this.#editor.store.set({ dialog: null });
    this.#tryAgain();
  }

  readonly #tryAgain = (): void => {
    const { kind } = this.#editor.state.save;
    if (kind === 'offline' || kind === 'signed_out') void this.flush();
  };

  #noticeChange(): void {
    const { save, history } = this.#editor.state;
    const isNew = history.present !== this.#seen;
    this.#seen = history.present;
    if (isNew && this.#isDirty && this.#editor.canEdit) this.#unsaved.keep();
    if (save.kind === 'conflict') return;
    if (!this.#isDirty) {
      if (isNew) this.#unsaved.forget();
      if (save.kind !== 'saved' && save.kind !== 'saving')
        this.#editor.store.set({ save: { kind: 'saved' } });
      return;
    }
    if (save.kind === 'saved') this.#editor.store.set({ save: { kind: 'unsaved' } });
    if (isNew) this.#wait(QUIET_MS);
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), ms);
  }

  /** Saves until nothing is unsaved. False when that failed or another user has saved first. */
  readonly flush = (): Promise<boolean> => {
    clearTimeout(this.#timer);
    // One at a time: two saves of one revision would conflict with each other.
    this.#saving ??= this.#saveAll().finally(() => {
      this.#saving = undefined;
    });
    return this.#saving;
  };

  async #saveAll(): Promise<boolean> {
    while (this.#isDirty) {
      if (this.#editor.state.save.kind === 'conflict' || !(await this.#save())) return false;
    }
    return true;
  }

  async #save(): Promise<boolean> {
    const { store, workflowId, document } = this.#editor;
    store.set({ save: { kind: 'saving' } });
    const draft = { id: workflowId, draft_revision: this.#editor.state.revision };
    const graph = { name: document.name, ...toGraph(document) };
    const tooLarge = findDraftSizeProblem(graph);
    if (tooLarge !== undefined) return this.#fail({ kind: 'failed', message: tooLarge }, false);
    const result = await this.#actions.saveDraft({ ...draft, graph }).catch(() => undefined);
    if (!result) {
      this.#unanswered = document;
      return this.#fail({ kind: 'offline' }, true);
    }
    if (!result.ok && result.error.code === 'conflict') {
      if (await this.#hasArrived()) return true;
      store.set({ save: { kind: 'conflict' } });
      return false;
    }
    if (!result.ok) {
      const { code, problems, message } = result.error;
      if (code === 'unauthorized') {
        this.noticeSignedOut();
        return this.#fail({ kind: 'signed_out' }, false);
      }
      return this.#fail({ kind: 'failed', message: problems[0]?.message ?? message }, code === 'internal');
    }
    const { revision, nextTaskId, sealed } = result.data;
    this.#saved = document;
    store.set({
      revision,
      nextTaskId: Math.max(nextTaskId, this.#editor.state.nextTaskId),
      save: this.#isDirty ? { kind: 'unsaved' } : { kind: 'saved' },
    });
    // Changes made in the meantime are based on this revision.
    if (this.#isDirty) this.#unsaved.keep();
    else this.#unsaved.forget();
    this.noticeSignedIn();
    this.#channel.postMessage({ revision });
    this.#sealed.add(document, sealed);
    return true;
  }

  /**
   * Whether the server's draft is this editor's: a save may have arrived although its response was lost. Then editing
   * continues from there.
   */
  async #hasArrived(): Promise<boolean> {
    const sent = this.#unanswered;
    this.#unanswered = undefined;
    if (!sent) return false;
    const loaded = await this.#actions.loadDraft({ id: this.#editor.workflowId }).catch(() => undefined);
    if (!loaded?.ok || !isSameJson(toDocument(loaded.data.graph), sent)) return false;
    this.#saved = sent;
    if (!this.#isDirty) this.#unsaved.forget();
    this.#editor.store.set({ revision: loaded.data.revision, save: { kind: 'unsaved' } });
    return true;
  }

  #fail(save: SaveState, retry: boolean): false {
    this.#editor.store.set({ save });
    if (retry) this.#wait(RETRY_MS);
    return false;
  }

  /**
   * Another user has saved: adopts their draft when nothing unsaved would be lost, else reports a conflict. Nothing is
   * overwritten.
   */
  async noticeRevision(revision: number): Promise<'same' | 'adopted' | 'conflict'> {
    if (this.#saving) await this.#saving;
    if (revision <= this.#editor.state.revision) return 'same';
    if (this.#isDirty) {
      this.#editor.store.set({ save: { kind: 'conflict' } });
      return 'conflict';
    }
    const loaded = await this.#actions.loadDraft({ id: this.#editor.workflowId }).catch(() => undefined);
    if (!loaded?.ok || this.#isDirty) return 'same';
    this.adopt(loaded.data);
    this.onAdopted();
    return 'adopted';
  }

  /** Replaces this editor's draft by the server's. */
  adopt(draft: Parameters<Editor['adopt']>[0]): void {
    this.#editor.adopt(draft);
    this.#saved = this.#editor.document;
    this.#unsaved.forget();
    this.#editor.store.set({ save: { kind: 'saved' } });
  }

  /** Deliberately overwrites the server's draft at a revision. */
  async overwrite(revision: number): Promise<boolean> {
    this.#editor.store.set({ revision, save: { kind: 'unsaved' } });
    return this.flush();
  }
}
