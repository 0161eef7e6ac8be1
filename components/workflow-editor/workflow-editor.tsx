'use client';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { CanvasArea } from '#components/canvas/canvas-area.tsx';
import { CanvasProvider } from '#components/canvas/canvas-mode.ts';
import { SidePart } from '#components/canvas/side-part.tsx';
import { OpenDraftRun } from '#components/draft-run/open-draft-run.tsx';
import { keepTries } from '#components/editor/browser-store.ts';
import type { EditorActions, EditorStart } from '#components/editor/editor-actions.ts';
import { EditorContext, useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { Editor } from '#components/editor/editor.ts';
import type { PublishedState } from '#lib/screens/editor-types.ts';
import { fetchJson, SignedOutError } from '#components/live/fetch-json.ts';
import { Button } from '#components/ui/button.tsx';
import { fetchAllCode, untilIdle } from '#components/ui/later.ts';
import { MissingPartText } from '#components/ui/missing-part.tsx';
import { onDemand } from '#components/ui/on-demand.tsx';
import { TOAST_RIGHT } from '#components/ui/overlay/toast-place.ts';
import { toast } from '#components/ui/overlay/toaster.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { Autosave } from './autosave.ts';
import { DraftKeeper } from './draft-keeper.ts';
import { FirstSteps } from './first-steps.tsx';
import { OpenDialog } from './open-dialog.tsx';
import { Toolbar } from './toolbar.tsx';
import { useChecks } from './use-checks.ts';
import { usePlatformFacts } from './use-platform-facts.ts';

const AfterPublish = onDemand(async () => (await import('./after-publish.tsx')).AfterPublish);

/** The editor of one workflow; it fills the shell's content area. */
export function WorkflowEditor({ start, actions }: { start: EditorStart; actions: EditorActions }) {
  const [editor] = useState(() => new Editor(start));
  const [autosave, setAutosave] = useState<Autosave | null>(null);
  const [keeper, setKeeper] = useState<DraftKeeper | null>(null);
  const hasAllCode = useAllCode();
  useEffect(() => {
    editor.onRefusal = (message) => toast(message);
    const keeper = new DraftKeeper(editor);
    const saver = new Autosave(editor, actions, keeper);
    if (editor.canEdit) void keeper.offer();
    const stopKeeping = keepTries(editor);
    setKeeper(keeper);
    saver.onAdopted = () => toast('This draft was changed elsewhere. You are looking at the latest version.');
    setAutosave(saver);
    return () => {
      void saver.flush();
      saver.close();
      stopKeeping();
    };
  }, [editor, actions]);
  const value = useMemo(
    () => ({ editor, actions, flush: () => autosave?.flush() ?? Promise.resolve(false) }),
    [editor, actions, autosave],
  );
  useChecks(editor);
  usePlatformFacts(editor, actions);
  useRemoteChanges(editor, actions, autosave);
  return (
    <EditorContext value={value}>
      <CanvasProvider>
        <div
          data-parts={hasAllCode ? 'fetched' : 'fetching'}
          data-fills-screen
          // Hidden labels are positioned relative to it, so that none of them extends the page.
          className="relative flex min-h-0 flex-1 flex-col overflow-clip"
        >
          <Toolbar />
          {keeper && <DraftOffer keeper={keeper} />}
          <div className="relative flex min-h-0 flex-1">
            <CanvasArea />
            <FirstSteps />
            <PublishedCard />
            <OpenPanel />
          </div>
          <OpenDraftRun />
        </div>
        <OpenDialog autosave={autosave} />
      </CanvasProvider>
    </EditorContext>
  );
}

/** Until it is closed, or a task is opened. */
function PublishedCard() {
  const { store } = useEditor();
  const isShown = useEditorState((state) => state.isJustPublished && state.openTaskId === undefined);
  return (
    <Suspense>{isShown && <AfterPublish onDismiss={() => store.set({ isJustPublished: false })} />}</Suspense>
  );
}

const TaskPanel = onDemand(
  async () => (await import('#components/task-panel/task-panel.tsx')).TaskPanel,
  (props) => (
    <div className="size-full bg-surface p-4">
      <MissingPartText {...props} />
    </div>
  ),
);

/** The panel of the open task, beside the canvas; on phones it fills the screen. */
function OpenPanel() {
  const editor = useEditor();
  const taskId = useEditorState((state) => state.openTaskId);
  useToastsBeside(taskId !== undefined);
  if (taskId === undefined) return null;
  return (
    <SidePart
      part="panelPx"
      className="max-md:fixed max-md:inset-x-0 max-md:top-0 max-md:bottom-(--bar-height) max-md:z-30 md:border-l md:border-line"
    >
      <Suspense fallback={<div className="size-full bg-surface max-md:hidden" />}>
        <TaskPanel key={taskId} taskId={taskId} onDismiss={editor.closeTask} />
      </Suspense>
    </SidePart>
  );
}

const GAP_PX = 24;

/** Moves toasts beside the open panel, away from its fields. */
function useToastsBeside(isOpen: boolean): void {
  const widthPx = useEditorState((state) => state.widths.panelPx);
  useEffect(() => {
    if (!isOpen) return;
    const { style } = document.documentElement;
    style.setProperty(TOAST_RIGHT, `calc(min(${widthPx}px, 60vw) + ${GAP_PX}px)`);
    return () => void style.removeProperty(TOAST_RIGHT);
  }, [isOpen, widthPx]);
}

/** Unsaved changes from before a reload, a crash or an expired session. */
function DraftOffer({ keeper }: { keeper: DraftKeeper }) {
  const offered = useEditorState((state) => state.offered);
  const revision = useEditorState((state) => state.revision);
  if (!offered) return null;
  return (
    <section
      aria-label="Unsaved changes"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-warning-soft px-4 py-2"
    >
      <p className="min-w-0 flex-1 basis-64">
        This browser has changes that were not saved (<RelativeTime at={offered.keptAt} />
        ).
        {offered.revision < revision &&
          ' The draft was saved elsewhere since then: after restoring, choose which version to keep.'}
      </p>
      <Button size="sm" onClick={() => keeper.discard()}>
        Discard changes
      </Button>
      <Button size="sm" variant="primary" onClick={() => keeper.restore()}>
        Restore changes
      </Button>
    </section>
  );
}

/** Delay, so that the page itself loads first; parts that are needed earlier are loaded on use. */
const START_MS = 3000;
const RETRY_MS = 10_000;

/**
 * Loads everything that the editor may open later while the browser is idle, so that no control depends on the network.
 * @returns whether it is complete
 */
function useAllCode(): boolean {
  const [isComplete, setComplete] = useState(false);
  useEffect(() => {
    if (isComplete) return;
    let timer: ReturnType<typeof setTimeout>;
    const start = () => {
      clearTimeout(timer);
      stopListening();
      fetchAllCode(untilIdle).then(
        () => setComplete(true),
        () => {
          timer = setTimeout(start, RETRY_MS);
        },
      );
    };
    const stopListening = () => {
      window.removeEventListener('pointerdown', start);
      window.removeEventListener('keydown', start);
    };
    timer = setTimeout(start, START_MS);
    window.addEventListener('pointerdown', start);
    window.addEventListener('keydown', start);
    return () => {
      clearTimeout(timer);
      stopListening();
    };
  }, [isComplete]);
  return isComplete;
}

const POLL_MS = 6000;

type RemoteState = { revision: number } & Pick<
  PublishedState,
  'publishedVersion' | 'active' | 'holdsRuns' | 'heldRuns' | 'maxConcurrentRuns'
>;

/** Detects that another tab or person has saved or published the draft, while this page is visible. */
function useRemoteChanges(
  editor: Editor,
  actions: Pick<EditorActions, 'getVersion'>,
  autosave: Autosave | null,
): void {
  const { data, dataUpdatedAt, error } = useQuery({
    queryKey: ['draft-state', editor.workflowId],
    queryFn: ({ signal }) => fetchJson<RemoteState>(`/workflows/${editor.workflowId}/state`, signal),
    refetchInterval: POLL_MS,
    refetchOnWindowFocus: 'always',
    enabled: autosave !== null,
  });
  useEffect(() => {
    if (!data || dataUpdatedAt === 0) return;
    autosave?.noticeSignedIn();
    void autosave?.noticeRevision(data.revision);
    void noticeLive(editor, actions, data);
  }, [actions, autosave, data, dataUpdatedAt, editor]);
  useEffect(() => {
    if (error instanceof SignedOutError) autosave?.noticeSignedOut();
  }, [autosave, error]);
}

async function noticeLive(
  { store, workflowId }: Editor,
  actions: Pick<EditorActions, 'getVersion'>,
  { revision: _revision, ...remote }: RemoteState,
): Promise<void> {
  const { live } = store.get();
  const version = remote.publishedVersion;
  if (live.publishedVersion === version) {
    const isSame = Object.entries(remote).every(
      ([name, value]) => live[name as keyof typeof remote] === value,
    );
    if (!isSame) store.set({ live: { ...live, ...remote } });
    return;
  }
  const known = { ...remote, calledBy: live.calledBy };
  if (version === null) return store.set({ live: { ...known, publishedGraph: null } });
  const published = await actions.getVersion({ id: workflowId, version }).catch(() => undefined);
  // Published here in the meantime: that is newer than the response.
  if (!published?.ok || store.get().live !== live) return;
  store.set({ live: { ...known, publishedGraph: published.data } });
}
