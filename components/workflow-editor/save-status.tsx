'use client';
import { Check, CircleAlert, CloudOff, CloudUpload } from 'lucide-react';
import type { ReactNode } from 'react';
import { useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { useIsOnline } from '#components/ui/use-is-online.ts';

/** Whether the draft is saved. */
export function SaveStatus() {
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

/** The server is unreachable: where the changes are stored meanwhile. */
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
