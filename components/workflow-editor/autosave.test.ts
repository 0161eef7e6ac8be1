import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Editor } from '#components/editor/editor.ts';
import type { EditorActions } from '#components/editor/editor-actions.ts';
import { openTestEditor } from '#components/editor/testing/test-editor.ts';
import { Autosave } from './autosave.ts';

type SaveDraft = EditorActions['saveDraft'];
type SaveInput = Parameters<SaveDraft>[0];
type SaveResult = Awaited<ReturnType<SaveDraft>>;

/** The server: responses in order, and its requests. */
class Server {
  readonly saves: SaveInput[] = [];
  readonly answers: (() => Promise<SaveResult>)[] = [];
  revision = 1;
  draft: { graph: SaveInput['graph']; revision: number; nextTaskId: number } | undefined;

  readonly actions = {
    saveDraft: async (input: SaveInput): Promise<SaveResult> => {
      this.saves.push(input);
      const answer = this.answers.shift();
      if (answer) return answer();
      this.revision = input.draft_revision + 1;
      return { ok: true, data: { revision: this.revision, nextTaskId: 4, sealed: [] } };
    },
    loadDraft: async () =>
      this.draft
        ? ({ ok: true, data: this.draft } as const)
        : ({ ok: false, error: { code: 'not_found', message: 'Gone.', problems: [] } } as const),
  } as Pick<EditorActions, 'saveDraft' | 'loadDraft'>;
}

const refused = (code: string, message: string) => async () =>
  ({ ok: false, error: { code, message, problems: [] } }) as unknown as SaveResult;

let server: Server;
let editor: Editor;
let autosave: Autosave;
let page: EventTarget;
/** The drafts stored in the browser: the names of task 3, and `null` where nothing is unsaved any more. */
let kept: (string | null | undefined)[];
/** Messages to other tabs. */
let told: unknown[];

beforeEach(() => {
  vi.useFakeTimers();
  page = new EventTarget();
  told = [];
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', Object.assign(new EventTarget(), { activeElement: null }));
  vi.stubGlobal('Element', class {});
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      postMessage = (data: unknown) => told.push(data);
      close = () => undefined;
    },
  );
  server = new Server();
  editor = openTestEditor();
  kept = [];
  autosave = new Autosave(editor, server.actions, {
    keep: () => kept.push(editor.document.tasks[2]?.name),
    forget: () => kept.push(null),
  });
});
afterEach(() => {
  autosave.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const rename = (name: string) => editor.rename(3, name);
const saveKind = () => editor.state.save.kind;
/** Longer than the pause after a change, shorter than the one after a failure. */
const pause = () => vi.advanceTimersByTimeAsync(1000);
const asksBeforeLeaving = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('changes that follow each other are saved once, a moment after the last, and other tabs are told', async () => {
  for (const name of ['W', 'Wa', 'Wait']) rename(name);
  expect(saveKind()).toBe('unsaved');
  expect(server.saves).toHaveLength(0);
  await pause();
  expect(server.saves).toMatchObject([{ id: 'workflow', draft_revision: 1 }]);
  expect(server.saves[0]?.graph.tasks[2]?.name).toBe('Wait');
  expect(editor.state).toMatchObject({ save: { kind: 'saved' }, revision: 2 });
  expect(told).toEqual([{ revision: 2 }]);
});

test('what changes while a save is under way is saved next, on top of it', async () => {
  const { promise, resolve } = Promise.withResolvers<SaveResult>();
  server.answers.push(() => promise);
  rename('One');
  await pause();
  rename('Two');
  await pause();
  expect(server.saves).toHaveLength(1);
  resolve({ ok: true, data: { revision: 2, nextTaskId: 4, sealed: [] } });
  await pause();
  expect(server.saves.map(({ draft_revision }) => draft_revision)).toEqual([1, 2]);
  expect(server.saves[1]?.graph.tasks[2]?.name).toBe('Two');
  expect(saveKind()).toBe('saved');
});

test('leaving with unsaved changes asks first; a change that is undone needs no save', async () => {
  expect(asksBeforeLeaving()).toBe(false);
  rename('Wait');
  expect(asksBeforeLeaving()).toBe(true);
  editor.undo();
  expect(asksBeforeLeaving()).toBe(false);
  expect(saveKind()).toBe('saved');
  await pause();
  expect(server.saves).toHaveLength(0);
});

test('a server that cannot be reached is asked again, and nothing is lost', async () => {
  server.answers.push(() => Promise.reject(new TypeError('fetch failed')));
  rename('Wait');
  await pause();
  expect(saveKind()).toBe('offline');
  expect(asksBeforeLeaving()).toBe(true);
  await vi.advanceTimersByTimeAsync(5000);
  expect(server.saves).toHaveLength(2);
  expect(saveKind()).toBe('saved');
});

test("a save that arrived although its answer was lost is not taken for somebody else's", async () => {
  server.answers.push(() => Promise.reject(new TypeError('fetch failed')));
  rename('Wait');
  await pause();
  const { graph } = server.saves[0] as SaveInput;
  server.draft = { graph: { ...graph, tasks: [...graph.tasks] }, revision: 2, nextTaskId: 4 };
  rename('Wait a little');
  server.answers.push(refused('conflict', 'Changed.'));
  await pause();
  expect(server.saves[2]).toMatchObject({ draft_revision: 2 });
  expect(server.saves[2]?.graph.tasks[2]?.name).toBe('Wait a little');
  expect(saveKind()).toBe('saved');
});

test('it is saved at once when the browser is back online', async () => {
  server.answers.push(() => Promise.reject(new TypeError('fetch failed')));
  rename('Wait');
  await pause();
  page.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(server.saves).toHaveLength(2);
  expect(saveKind()).toBe('saved');
});

test('the browser keeps what is unsaved until the server has it, and on which revision it was made', async () => {
  const { promise, resolve } = Promise.withResolvers<SaveResult>();
  server.answers.push(() => promise);
  rename('One');
  expect(kept).toEqual(['One']);
  await pause();
  rename('Two');
  expect(kept).toEqual(['One', 'Two']);
  resolve({ ok: true, data: { revision: 2, nextTaskId: 4, sealed: [] } });
  await pause();
  // Retried on revision 2, and then no more.
  expect(kept).toEqual(['One', 'Two', 'Two', null]);
});

test('an expired session asks to sign in once, and the draft is saved afterwards', async () => {
  server.answers.push(refused('unauthorized', 'You are signed out.'));
  server.answers.push(refused('unauthorized', 'You are signed out.'));
  rename('One');
  await pause();
  expect(editor.state).toMatchObject({ save: { kind: 'signed_out' }, dialog: 'sign_in' });
  editor.store.set({ dialog: null });
  rename('Two');
  await pause();
  expect(editor.state).toMatchObject({ save: { kind: 'signed_out' }, dialog: null });
  expect(kept).toEqual(['One', 'Two']);
  autosave.noticeSignedIn();
  await pause();
  expect(server.saves[2]?.graph.tasks[2]?.name).toBe('Two');
  expect(saveKind()).toBe('saved');
});

test('a draft that the server refuses is not sent again until it changes', async () => {
  server.answers.push(refused('invalid_request', 'Too many tasks.'));
  rename('Wait');
  await pause();
  expect(editor.state.save).toEqual({ kind: 'failed', message: 'Too many tasks.' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.saves).toHaveLength(1);
  rename('Wait a little');
  await pause();
  expect(saveKind()).toBe('saved');
});

test('when someone else saved first nothing is overwritten, until that is chosen', async () => {
  server.answers.push(refused('conflict', 'Changed.'));
  rename('Mine');
  await pause();
  expect(saveKind()).toBe('conflict');
  rename('Still mine');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.saves).toHaveLength(1);
  await autosave.overwrite(5);
  expect(server.saves[1]).toMatchObject({ draft_revision: 5 });
  expect(server.saves[1]?.graph.tasks[2]?.name).toBe('Still mine');
  expect(saveKind()).toBe('saved');
});

test("another tab's draft replaces one without changes, and conflicts with one that has some", async () => {
  const tasks = [{ id: 1, type: 'inbound_webhook', name: 'Theirs', settings: {} }];
  server.draft = { graph: { name: 'Workflow', tasks, edges: [] }, revision: 3, nextTaskId: 9 };
  const onAdopted = vi.fn();
  autosave.onAdopted = onAdopted;
  expect(await autosave.noticeRevision(1)).toBe('same');
  expect(await autosave.noticeRevision(3)).toBe('adopted');
  expect(editor.document.tasks[0]?.name).toBe('Theirs');
  expect(editor.state).toMatchObject({ revision: 3, save: { kind: 'saved' } });
  expect(onAdopted).toHaveBeenCalledTimes(1);
  editor.rename(1, 'Mine');
  expect(await autosave.noticeRevision(4)).toBe('conflict');
  expect(editor.document.tasks[0]?.name).toBe('Mine');
});

test('secrets that were typed are shown as they are stored, which is no change to save', async () => {
  editor.run('Settings', (document) => ({
    ...document,
    tasks: document.tasks.map((task) => (task.id === 3 ? { ...task, settings: { token: 'abc' } } : task)),
  }));
  const stored = { id: 3, type: 'delay', name: 'delay 3', settings: { token: '••••••(id)' } };
  server.answers.push(async () => ({ ok: true, data: { revision: 2, nextTaskId: 4, sealed: [stored] } }));
  await pause();
  expect(editor.document.tasks[2]?.settings).toEqual(stored.settings);
  await pause();
  expect(server.saves).toHaveLength(1);
  expect(asksBeforeLeaving()).toBe(false);
});
