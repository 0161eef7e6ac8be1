'use client';
import { Check, CircleAlert, CloudUpload } from 'lucide-react';
import { Spinner } from '#components/ui/spinner.tsx';
import { useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';

/** Whether what is on the screen is kept. */
export function SaveStatus() {
  const save = useEditorState((state) => state.save);
  const { flush } = useEditorContext();
  return (
    <div role="status" data-save={save.kind} className="flex min-w-0 items-center gap-1.5 text-sm text-muted">
      {save.kind === 'saved' && (
        <>
          <Check aria-hidden className="size-4 text-success" />
          <span className="max-sm:sr-only">Saved</span>
        </>
      )}
      {save.kind === 'unsaved' && (
        <>
          <CloudUpload aria-hidden className="size-4" />
          <span className="max-sm:sr-only">Not saved yet</span>
        </>
      )}
      {save.kind === 'saving' && (
        <>
          <Spinner label={null} />
          <span className="max-sm:sr-only">Saving…</span>
        </>
      )}
      {save.kind === 'conflict' && <Failure text="Could not save: someone else changed this draft." />}
      {save.kind === 'failed' && (
        <button type="button" className="flex min-w-0 items-center gap-1.5" onClick={() => void flush()}>
          <Failure text={`Could not save: ${save.message}`} />
        </button>
      )}
    </div>
  );
}

const Failure = ({ text }: { text: string }) => (
  <>
    <CircleAlert aria-hidden className="size-4 shrink-0 text-danger" />
    <span className="truncate text-danger max-sm:max-w-32" title={text}>
      {text}
    </span>
  </>
);
