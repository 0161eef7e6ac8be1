'use client';
import { FileSpreadsheet, Upload } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { cx } from '#components/ui/cx.ts';
import { formatBytes } from '#components/ui/format.ts';
import { NO_UPLOAD_ANSWER, uploadFile, type UploadOptions, UploadProgress } from '#components/ui/upload.tsx';
import { MAX_LIST_BYTES } from '#lib/lists/schema.ts';
import type { ActionError } from '#lib/identity/auth/action-types.ts';

interface UploadedList {
  id: string;
  /** False: the same file was uploaded before, and this is its list. */
  isNew: boolean;
}

type Refusal = Pick<ActionError, 'message' | 'problems'>;

type State =
  | { step: 'idle' }
  | { step: 'sending'; name: string; part: number }
  | { step: 'failed'; name: string; refusal: Refusal };

/** Uploads a CSV file, chosen or dropped, and opens its list. */
export function ListUpload({ workflowId }: { workflowId: string }) {
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const abort = useRef<AbortController>(undefined);
  const [state, setState] = useState<State>({ step: 'idle' });
  const [isOver, setIsOver] = useState(false);
  useEffect(() => () => abort.current?.abort(), []);
  const send = async (file: File | undefined) => {
    if (!file || state.step === 'sending') return;
    const { name } = file;
    const problem = checkFile(file);
    if (problem !== undefined)
      return setState({ step: 'failed', name, refusal: { message: problem, problems: [] } });
    abort.current = new AbortController();
    const { signal } = abort.current;
    const onProgress = (part: number) => setState({ step: 'sending', name, part });
    onProgress(0);
    try {
      const sent = await sendFile(file, { workflowId, signal, onProgress });
      if ('refusal' in sent) return setState({ step: 'failed', name, refusal: sent.refusal });
      router.push(`/workflows/${workflowId}/lists/${sent.id}${sent.isNew ? '' : '?known=1'}`);
    } catch {
      // Only cancelling rejects.
      setState({ step: 'idle' });
    }
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    void send(event.dataTransfer.files[0]);
  };
  return (
    <section
      aria-label="Upload a list"
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) =>
        setIsOver(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))
      }
      onDrop={onDrop}
      className={cx(
        'flex flex-col gap-4 rounded-lg border border-dashed px-5 py-5 transition-colors',
        isOver ? 'border-accent bg-accent-soft' : 'border-line-strong bg-surface',
      )}
    >
      {state.step === 'sending' ? (
        <UploadProgress
          {...state}
          arrived={`Checking the rows of ${state.name}…`}
          cancel={() => abort.current?.abort()}
        />
      ) : (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
          <FileSpreadsheet aria-hidden className="size-8 shrink-0 text-accent" />
          <div className="min-w-0 flex-1 basis-56">
            <p className="font-medium">
              <span className="max-sm:hidden">Drop a CSV file here, or choose one</span>
              <span className="sm:hidden">Choose a CSV file</span>
            </p>
            <p className="text-sm text-muted">
              One recipient per row, column names in the first line, at most {formatBytes(MAX_LIST_BYTES)}.
              Nothing is sent before you start it.
            </p>
          </div>
          <Button variant="primary" icon={<Upload aria-hidden />} onClick={() => input.current?.click()}>
            Upload a list
          </Button>
        </div>
      )}
      {state.step === 'failed' && <UploadProblem name={state.name} refusal={state.refusal} />}
      <input
        ref={input}
        type="file"
        hidden
        aria-label="CSV file"
        accept=".csv,.txt,.tsv,text/csv"
        onChange={({ target }) => {
          const file = target.files?.[0];
          // Allows the same file to be selected again after a fix.
          target.value = '';
          void send(file);
        }}
      />
    </section>
  );
}

/** Why a file was refused, with line and column. */
function UploadProblem({ name, refusal: { message, problems } }: { name: string; refusal: Refusal }) {
  const details = problems.filter((problem) => problem.message !== message);
  return (
    <Callout tone="danger" live title={`${name} could not be uploaded`}>
      <p>{message}</p>
      {details.length > 0 && (
        <ul className="mt-1 list-disc pl-5">
          {details.map((problem, index) => (
            <li key={index}>{problem.message}</li>
          ))}
        </ul>
      )}
    </Callout>
  );
}

function checkFile({ name, size }: File): string | undefined {
  if (/\.(xlsx?|ods|numbers)$/i.test(name))
    return 'This is a spreadsheet. Save it as CSV (File, Save as or Export), and upload that file.';
  if (size === 0) return 'The file is empty.';
  if (size > MAX_LIST_BYTES)
    return `The file has ${formatBytes(size)}, and at most ${formatBytes(MAX_LIST_BYTES)} are allowed. Split it into several files.`;
  return undefined;
}

/** @throws DOMException when it was cancelled */
async function sendFile(
  file: File,
  { workflowId, ...options }: UploadOptions & { workflowId: string },
): Promise<UploadedList | { refusal: Refusal }> {
  const query = new URLSearchParams({ workflow: workflowId, name: file.name });
  const answer = await uploadFile(file, `/list-files?${query}`, options);
  if (answer?.isOk) return answer.body as UploadedList;
  const { error } = (answer?.body ?? {}) as { error?: Partial<Refusal> };
  return { refusal: { message: error?.message ?? NO_UPLOAD_ANSWER, problems: error?.problems ?? [] } };
}
