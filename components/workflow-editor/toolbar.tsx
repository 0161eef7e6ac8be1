'use client';
import { ArrowLeft, Check, CircleAlert, CloudOff, CloudUpload, Play, Redo2, Undo2 } from 'lucide-react';
import Link from 'next/link';
import { type ReactNode, useState } from 'react';
import { useEditor, useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';
import { useIsOnline } from '#components/ui/browser-state.ts';
import { Button } from '#components/ui/button.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Spinner } from '#components/ui/loading.tsx';
import { ActiveSwitch, LiveBadge } from './live-status.tsx';
import { MoreMenu } from './more-menu.tsx';

/** The bar above the canvas: name, published state, saved state, and publishing. */
export function Toolbar() {
  const editor = useEditor();
  const canUndo = useEditorState((state) => state.history.past.length > 0);
  const canRedo = useEditorState((state) => state.history.future.length > 0);
  const errors = useEditorState(
    (state) => state.problems.filter(({ severity }) => severity === 'error').length,
  );
  return (
    <header className="flex min-h-14 shrink-0 items-center gap-x-2 gap-y-1.5 border-b border-line bg-surface px-2 max-lg:flex-wrap max-lg:py-2 sm:px-3">
      <Link
        href="/workflows"
        aria-label="Back to workflows"
        className="flex size-8 shrink-0 items-center justify-center rounded-md hover:bg-hover"
      >
        <ArrowLeft aria-hidden className="size-4" />
      </Link>
      <WorkflowName />
      {/* On narrow screens the second row, on phones beside the switch. */}
      <div className="flex min-w-0 items-center gap-2 max-lg:order-last max-lg:w-full max-lg:px-1.5 max-sm:w-auto max-sm:shrink max-sm:grow max-sm:basis-3/4">
        <LiveBadge />
        <SaveStatus />
      </div>
      <div className="flex-1 max-sm:hidden" />
      {editor.canEdit ? (
        <>
          <div className="flex max-sm:hidden">
            <IconButton label="Undo" size="sm" disabled={!canUndo} onClick={editor.undo}>
              <Undo2 aria-hidden />
            </IconButton>
            <IconButton label="Redo" size="sm" disabled={!canRedo} onClick={editor.redo}>
              <Redo2 aria-hidden />
            </IconButton>
          </div>
          <div className="flex shrink-0 max-sm:order-last max-sm:px-1.5">
            <ActiveSwitch />
          </div>
          <Button
            size="sm"
            icon={<Play aria-hidden />}
            onClick={() => editor.store.set({ dialog: 'run_draft' })}
          >
            <span className="max-sm:sr-only">Run draft</span>
          </Button>
          <Button
            variant="primary"
            size="sm"
            data-errors={errors}
            className="relative"
            onClick={() => editor.store.set({ dialog: 'publish' })}
          >
            Publish
            {errors > 0 && (
              // Over the corner: the buttons beside it stay under the pointer when a problem appears or goes.
              <span className="absolute -top-1.5 -right-1.5 inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-full bg-danger px-1 text-xs font-semibold text-danger-ink tabular-nums">
                {errors}
                <span className="sr-only">{errors === 1 ? ' problem' : ' problems'}</span>
              </span>
            )}
          </Button>
        </>
      ) : (
        <span className="text-sm text-muted">Read-only: your role is Viewer</span>
      )}
      <MoreMenu />
    </header>
  );
}

function WorkflowName() {
  const editor = useEditor();
  const name = useEditorState((state) => state.history.present.name);
  const [text, setText] = useState<string>();
  const keep = () => {
    const next = text?.trim() ?? '';
    setText(undefined);
    if (next !== '' && next !== name)
      editor.run('Rename workflow', (document) => ({ ...document, name: next }));
  };
  return (
    <>
      <h1 className="sr-only">{name}</h1>
      <input
        aria-label="Workflow name"
        title={name}
        value={text ?? name}
        readOnly={!editor.canEdit}
        maxLength={200}
        onChange={(event) => setText(event.target.value)}
        onBlur={keep}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
        }}
        className="field-sizing-content h-8 max-w-64 min-w-16 lg:max-w-md xl:max-w-xl truncate rounded-md border border-transparent bg-transparent px-1.5 text-lg font-semibold hover:border-line focus:border-accent max-sm:max-w-none max-sm:flex-1"
      />
    </>
  );
}

/** Whether the draft is saved. */
function SaveStatus() {
  const kind = useEditorState((state) => state.save.kind);
  return (
    <div role="status" data-save={kind} className="flex min-w-0 items-center gap-1.5 text-sm text-muted">
      <Status />
    </div>
  );
}

function Status() {
  const { editor, flush } = useEditorContext();
  const save = useEditorState((state) => state.save);
  const isOnline = useIsOnline();
  if (save.kind === 'conflict') return <Failure text="Could not save: someone else changed this draft." />;
  if (save.kind === 'signed_out')
    return (
      <FailureButton
        text="Could not save: your session has expired. Sign in"
        onClick={() => editor.store.set({ dialog: 'sign_in' })}
      />
    );
  if (save.kind === 'failed')
    return <FailureButton text={`Could not save: ${save.message}`} onClick={() => void flush()} />;
  if (save.kind === 'offline' || !isOnline) return <Offline isSaved={save.kind === 'saved'} />;
  if (save.kind === 'saved')
    return <Quiet icon={<Check aria-hidden className="size-4 text-success" />} text="Saved" />;
  if (save.kind === 'unsaved')
    return <Quiet icon={<CloudUpload aria-hidden className="size-4" />} text="Not saved yet" />;
  return <Quiet icon={<Spinner label={null} />} text="Saving…" />;
}

/** The server is unreachable: where the changes are stored in the meantime. */
function Offline({ isSaved }: { isSaved: boolean }) {
  const isKept = useEditorState((state) => state.isKept);
  const what = isKept
    ? 'Changes are kept in this browser and saved when you are back online.'
    : 'Keep this page open: changes are saved when you are back online.';
  return (
    <>
      <CloudOff aria-hidden className="size-4 shrink-0 text-warning" />
      <span className="truncate text-warning" title={what}>
        Offline<span className="max-sm:sr-only">{isSaved ? '' : `. ${what}`}</span>
      </span>
    </>
  );
}

const Quiet = ({ icon, text }: { icon: ReactNode; text: string }) => (
  <>
    {icon}
    <span className="max-sm:sr-only">{text}</span>
  </>
);

const FailureButton = ({ text, onClick }: { text: string; onClick: () => void }) => (
  <button type="button" className="flex min-w-0 items-center gap-1.5" onClick={onClick}>
    <Failure text={text} />
  </button>
);

const Failure = ({ text }: { text: string }) => (
  <>
    <CircleAlert aria-hidden className="size-4 shrink-0 text-danger" />
    <span className="truncate text-danger" title={text}>
      {text}
    </span>
  </>
);
