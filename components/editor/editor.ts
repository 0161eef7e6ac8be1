// The editor of one workflow: its state and all actions of the user. Screens only call this.
import { type Fragment, copyItems, pasteFragment } from '#lib/editor/canvas/clipboard.ts';
import * as commands from '#lib/editor/canvas/commands.ts';
import { findConnectProblem } from '#lib/editor/canvas/connect.ts';
import {
  type CanvasDocument,
  findTask,
  findTrigger,
  type Point,
  toDocument,
} from '#lib/editor/canvas/document.ts';
import { findRepeatOffer, repeat, type RepeatOffer } from '#lib/editor/canvas/repeat.ts';
import { freeNotePlace } from '#lib/editor/canvas/place.ts';
import { redo, record, startHistory, undo } from '#lib/editor/canvas/history.ts';
import { later } from '#components/ui/later.ts';
import type { EditorStart } from './editor-actions.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import type { LoadedDraft } from '#lib/screens/editor-types.ts';
import type { EditorState, OfferedDraft } from './editor-state.ts';
import { focusNote, focusTask } from './focus.ts';
import { noteNodeId, splitIds, taskNodeId } from './node-ids.ts';
import { startState } from './start-state.ts';
import { Store } from './store.ts';

const loadRegistry = later(() => import('#lib/tasks/registry.ts'));
const loadLayout = later(() => import('#lib/editor/canvas/layout.ts'));

export class Editor {
  readonly workflowId: string;
  readonly userId: string;
  readonly userEmail: string;
  readonly canEdit: boolean;
  readonly urls: { production: string; test: string; verifyToken: string };
  readonly silence: EditorStart['silence'];
  readonly store: Store<EditorState>;
  /** The settings of triggers that were replaced, by type. */
  readonly #leftTriggers = new Map<string, WorkflowTask['settings']>();
  /** Called with the reason when an action is refused. */
  onRefusal: (message: string) => void = () => undefined;

  constructor(start: EditorStart) {
    this.workflowId = start.id;
    this.userId = start.user.id;
    this.userEmail = start.user.email;
    this.canEdit = start.canEdit;
    this.urls = { production: start.productionUrl, test: start.testUrl, verifyToken: start.verifyToken };
    this.silence = start.silence;
    this.store = new Store(startState(start));
  }

  get state(): EditorState {
    return this.store.get();
  }

  get document(): CanvasDocument {
    return this.state.history.present;
  }

  /** Applies a command as one step of the history; consecutive changes with the same key are one step. */
  run(label: string, command: (document: CanvasDocument) => CanvasDocument, mergeKey?: string): void {
    if (!this.canEdit) return;
    const change = { label, at: Date.now(), ...(mergeKey === undefined ? {} : { mergeKey }) };
    this.#show(record(this.state.history, command(this.document), change));
  }

  readonly undo = (): void => {
    if (this.canEdit) this.#show(undo(this.state.history));
  };

  readonly redo = (): void => {
    if (this.canEdit) this.#show(redo(this.state.history));
  };

  #show(history: EditorState['history']): void {
    const { openTaskId, selection } = this.state;
    const ids = new Set([
      ...history.present.tasks.map((task) => taskNodeId(task.id)),
      ...history.present.notes.map((note) => noteNodeId(note.id)),
    ]);
    const kept = [...selection].filter((id) => ids.has(id));
    const isOpen = openTaskId !== undefined && ids.has(taskNodeId(openTaskId));
    this.store.set({
      history,
      selection: kept.length === selection.size ? selection : new Set(kept),
      ...(isOpen ? {} : { openTaskId: undefined, shownField: undefined }),
    });
  }

  /** Starts over from the server's draft, saved by another tab or person. */
  adopt({ graph, revision, nextTaskId }: LoadedDraft): void {
    this.#show(startHistory(toDocument(graph)));
    this.store.set({ revision, nextTaskId, save: { kind: 'saved' } });
  }

  /**
   * Restores unsaved changes, as a step that can be undone. They are based on the revision that they started from: if another
   * user has saved since, saving asks which version to keep.
   */
  restore({ document, nextTaskId, revision }: OfferedDraft): void {
    this.store.set({ nextTaskId: Math.max(nextTaskId, this.state.nextTaskId), revision });
    this.run('Restore unsaved changes', () => document);
  }

  // Selection and open task.

  readonly select = (ids: Iterable<string>): void =>
    this.store.set({ selection: new Set(ids), selectedEdge: undefined });

  /** Selects one task or note and brings it into view. */
  goTo(nodeId: string): void {
    this.select([nodeId]);
    this.store.set({ revealCount: this.state.revealCount + 1 });
  }

  readonly selectEdge = (key: string | undefined): void =>
    this.store.set({ selectedEdge: key, ...(key === undefined ? {} : { selection: new Set<string>() }) });

  selectAll(): void {
    const { tasks, notes } = this.document;
    this.select([...tasks.map((task) => taskNodeId(task.id)), ...notes.map((note) => noteNodeId(note.id))]);
  }

  /** @param field gets the focus, such as `settings.url`; empty: the first one; left out: the focus stays */
  openTask(id: number, field?: string): void {
    this.store.set({
      openTaskId: id,
      shownField: field,
      selection: new Set([taskNodeId(id)]),
      selectedEdge: undefined,
      freshTaskId: undefined,
    });
  }

  readonly closeTask = (): void =>
    this.store.set({ openTaskId: undefined, shownField: undefined, freshTaskId: undefined });

  /** The only selected task; undefined for none and for several. */
  get selectedTaskId(): number | undefined {
    const { taskIds, noteIds } = splitIds(this.state.selection);
    return taskIds.length === 1 && noteIds.length === 0 ? taskIds[0] : undefined;
  }

  // Changes of the workflow.

  /** Adds an offer (lib/tasks/offers.ts) and opens the task. */
  addTask(offerId: string, spot: commands.Spot): void {
    if (!this.canEdit) return;
    const id = this.state.nextTaskId;
    this.store.set({ nextTaskId: id + 1, pickingFor: undefined });
    const step = `add task ${id}`;
    this.run('Add a task', (document) => commands.addTask(document, id, offerId, spot), step);
    this.openTask(id);
    this.store.set({ freshTaskId: id });
    focusTask(id);
    // Offline, its pickers select the same once they are loaded.
    void this.#takeSender(id, 'Add a task', step).catch(() => undefined);
  }

  /**
   * Starts the workflow with a trigger of another type (`commands.changeTrigger`). Settings that both types have stay; the others
   * return with their type.
   */
  async changeTrigger(type: string): Promise<void> {
    try {
      const { findTaskDefinition } = await loadRegistry();
      const trigger = findTrigger(this.document);
      const definition = findTaskDefinition(type);
      if (!trigger || !definition || !this.canEdit || trigger.type === type) return;
      this.#leftTriggers.set(trigger.type, trigger.settings);
      const own = Object.keys(definition.settings.shape);
      const shared = Object.entries(trigger.settings).filter(([name]) => own.includes(name));
      const known = this.#leftTriggers.get(type) ?? definition.newSettings;
      const settings = { ...known, ...Object.fromEntries(shared) };
      const [label, step] = ['Change the trigger', `change trigger to ${type}`];
      this.run(label, (document) => commands.changeTrigger(document, type, settings), step);
      await this.#takeSender(trigger.id, label, step);
    } catch (error) {
      this.onRefusal((error as Error).message);
    }
  }

  /** A new task, or trigger, has the sender of the others; the code for it is loaded on first use. */
  async #takeSender(id: number, label: string, step: string): Promise<void> {
    const { fillSender, findCommonSender } = await import('#lib/tasks/fill-sender.ts');
    const common = findCommonSender(this.document.tasks.filter((task) => task.id !== id));
    const task = findTask(this.document, id);
    if (!common || !task) return;
    const businessAccountId =
      common.businessAccountId ?? this.state.facts[common.connectionId]?.accountId ?? undefined;
    const settings = fillSender(task, { ...common, businessAccountId });
    if (settings === task.settings) return;
    this.run(label, (document) => commands.updateSettings(document, id, settings), step);
  }

  /** Adds an edge, offers to repeat tasks where it would lead back, or shows why it cannot be added. */
  connect(from: number, to: number, branch: string | undefined): boolean {
    const reason = findConnectProblem(this.document, { from, to, branch });
    if (reason !== undefined) {
      const repeatOffer = this.canEdit ? findRepeatOffer(this.document, { from, to, branch }) : undefined;
      if (repeatOffer) this.store.set({ repeatOffer });
      else this.onRefusal(reason);
      return false;
    }
    this.run('Connect', (document) => commands.connect(document, from, to, branch));
    return true;
  }

  /** Repeats tasks as offered, as one step, and shows what is left to fill in. */
  acceptRepeat(offer: RepeatOffer): void {
    const id = this.state.nextTaskId;
    const isLoop = offer.kind === 'around';
    this.store.set({ repeatOffer: undefined, ...(isLoop ? { nextTaskId: id + 1 } : {}) });
    this.run(isLoop ? 'Repeat until' : offer.label, (document) => repeat(document, id, offer));
    this.openTask(isLoop ? id : offer.edge.from, isLoop ? '' : offer.field);
  }

  removeSelected(): void {
    const { selection, selectedEdge } = this.state;
    if (selectedEdge !== undefined) {
      this.run('Remove an edge', (document) => commands.disconnect(document, [selectedEdge]));
      this.store.set({ selectedEdge: undefined });
      return;
    }
    const { taskIds, noteIds } = splitIds(selection);
    if (taskIds.length + noteIds.length === 0) return;
    const before = this.document;
    this.run('Delete', (document) => commands.removeItems(document, taskIds, noteIds));
    const kept = taskIds.some((id) => findTask(before, id) && findTask(this.document, id));
    if (kept) this.onRefusal('The trigger cannot be deleted: every workflow needs one.');
  }

  copySelected(): Fragment | undefined {
    const { taskIds, noteIds } = splitIds(this.state.selection);
    return copyItems(this.document, new Set(taskIds), new Set(noteIds));
  }

  /** Pastes tasks near their originals, and brings them into view. */
  paste(fragment: Fragment): void {
    if (!this.canEdit) return;
    const { nextTaskId } = this.state;
    const newNoteId = () => crypto.randomUUID();
    const pasted = pasteFragment(this.document, fragment, { nextTaskId, newNoteId });
    this.store.set({ nextTaskId: pasted.nextTaskId });
    this.run('Paste', () => pasted.document);
    this.select([...pasted.taskIds.map(taskNodeId), ...pasted.noteIds.map(noteNodeId)]);
    this.store.set({ revealCount: this.state.revealCount + 1 });
  }

  duplicateSelected(): void {
    const fragment = this.copySelected();
    if (fragment) this.paste(fragment);
    else this.onRefusal('Select the tasks to duplicate. The trigger cannot be duplicated.');
  }

  /** Arranges all tasks; the layout code is loaded on first use. */
  async arrange(): Promise<void> {
    try {
      const { arrange } = await loadLayout();
      this.run('Arrange', arrange);
    } catch (error) {
      this.onRefusal((error as Error).message);
    }
  }

  /** Adds a note at a free position, and focuses its text. */
  addNote(wanted: Point): void {
    if (!this.canEdit) return;
    const id = crypto.randomUUID();
    const position = freeNotePlace(this.document, { x: Math.round(wanted.x), y: Math.round(wanted.y) });
    this.run('Add a note', (document) => commands.addNote(document, { id, text: '', position }));
    this.select([noteNodeId(id)]);
    focusNote(id);
  }

  /** A draft can be incomplete, but names are required. */
  rename(id: number, name: string): void {
    this.store.set({ renamingId: undefined });
    const trimmed = name.trim().slice(0, 200);
    if (trimmed === '' || trimmed === findTask(this.document, id)?.name) return;
    this.run('Rename', (document) => commands.updateTask(document, id, { name: trimmed }));
  }
}
