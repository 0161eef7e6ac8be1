'use client';
import { FileCheck, Upload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useChangeSettings, usePanel } from '#components/task-panel/panel-context.tsx';
import type { SettingFieldProps } from '#components/task-panel/setting-field-props.ts';
import { TextField } from '#components/task-panel/text-field.tsx';
import { usePicked } from '#components/task-panel/use-picker-options.ts';
import { Button } from '#components/ui/button.tsx';
import { NO_UPLOAD_ANSWER, uploadFile, type UploadOptions, UploadProgress } from '#components/ui/upload.tsx';
import { isMediaId } from '#lib/messaging/platform/ids.ts';
import { checkMediaFile, endingsOf, type MediaKind } from '#lib/messaging/sending/media-formats.ts';

export interface MediaUploadProps {
  /** The kind to send; left out: any. */
  kind: MediaKind | undefined;
  /** The current media id, if it is one. */
  mediaId: unknown;
  onUploaded: (file: { mediaId: string; kind: MediaKind; name: string }) => void;
}

type State =
  | { step: 'idle' }
  | { step: 'sending'; name: string; part: number }
  | { step: 'failed'; message: string };

/** Selects a file, checks it, and uploads it to the platform; the message then uses its id. */
export function MediaUpload({ kind, mediaId, onUploaded }: MediaUploadProps) {
  const { canEdit } = usePanel();
  const input = useRef<HTMLInputElement>(null);
  const abort = useRef<AbortController>(undefined);
  const [state, setState] = useState<State>({ step: 'idle' });
  useEffect(() => () => abort.current?.abort(), []);
  const connectionId = usePicked('connection');
  const phoneNumberId = usePicked('phone_number');
  const isReady = connectionId !== undefined && phoneNumberId !== undefined;
  const send = async (file: File) => {
    const { problem } = checkMediaFile(file.name, file.size, kind);
    if (problem !== undefined) return setState({ step: 'failed', message: problem });
    if (!isReady) return;
    abort.current = new AbortController();
    const { signal } = abort.current;
    const onProgress = (part: number) => setState({ step: 'sending', name: file.name, part });
    onProgress(0);
    try {
      const sent = await sendFile(file, { connectionId, phoneNumberId, signal, onProgress });
      keepUploadedName(sent.media_id, file.name);
      onUploaded({ mediaId: sent.media_id, kind: sent.kind, name: file.name });
      setState({ step: 'idle' });
    } catch (error) {
      setState(signal.aborted ? { step: 'idle' } : { step: 'failed', message: (error as Error).message });
    }
  };
  return (
    <div className="mt-2 flex flex-col items-start gap-1.5">
      <UploadedFile mediaId={mediaId} />
      {state.step === 'sending' ? (
        <UploadProgress
          {...state}
          arrived={`${state.name} Sending to the platform…`}
          cancel={() => abort.current?.abort()}
        />
      ) : (
        canEdit && (
          <Button
            size="sm"
            icon={<Upload aria-hidden />}
            disabled={!isReady}
            onClick={() => input.current?.click()}
          >
            Upload a file
          </Button>
        )
      )}
      {canEdit && !isReady && (
        <p className="text-sm text-muted">Select the connection and the sender before you upload a file.</p>
      )}
      {state.step === 'failed' && (
        <p role="alert" className="text-sm text-danger">
          {state.message}
        </p>
      )}
      <input
        ref={input}
        type="file"
        hidden
        aria-label="File to upload"
        accept={endingsOf(kind)
          .map((ending) => `.${ending}`)
          .join()}
        onChange={({ target }) => {
          const file = target.files?.[0];
          // Allows the same file to be selected again after a fix.
          target.value = '';
          if (file) void send(file);
        }}
      />
    </div>
  );
}

/** The uploaded file of the current id. */
function UploadedFile({ mediaId }: { mediaId: unknown }) {
  const [name, setName] = useState<string>();
  // The server renders first and knows no names.
  useEffect(() => setName(findUploadedName(String(mediaId))), [mediaId]);
  if (typeof mediaId !== 'string' || !isMediaId(mediaId)) return null;
  return (
    <p className="flex max-w-full items-start gap-1.5 text-sm">
      <FileCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
      <span className="min-w-0">
        <span className="font-medium break-words">{name ?? 'An uploaded file'}</span>
        <span className="text-muted">
          {' '}
          The platform keeps uploaded files for 30 days. Use a public URL for files you send longer than that.
        </span>
      </span>
    </p>
  );
}

// Names of uploaded files, stored in this browser, because the platform does not return them.
const KEY = 'patchbay:uploaded-files';
const MAX_KEPT = 200;

/** The name of an uploaded file, if it was uploaded in this browser. */
const findUploadedName = (mediaId: string): string | undefined => read().find(([id]) => id === mediaId)?.[1];

function keepUploadedName(mediaId: string, name: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([[mediaId, name], ...read()].slice(0, MAX_KEPT)));
  } catch {
    // Storage is full or disabled: the id is shown instead.
  }
}

function read(): [id: string, name: string][] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '[]') as unknown;
    return Array.isArray(kept) ? (kept as [string, string][]) : [];
  } catch {
    return [];
  }
}

export interface SentFile {
  media_id: string;
  kind: MediaKind;
}

export interface SendFileOptions extends UploadOptions {
  connectionId: string;
  phoneNumberId: string;
}

/** Uploads a file to the platform. @throws Error for the user */
async function sendFile(
  file: File,
  { connectionId, phoneNumberId, ...options }: SendFileOptions,
): Promise<SentFile> {
  const query = new URLSearchParams({
    connection: connectionId,
    phone_number: phoneNumberId,
    name: file.name,
  });
  const answer = await uploadFile(file, `/media?${query}`, options);
  const { error, ...sent } = (answer?.body ?? {}) as Partial<SentFile> & { error?: { message?: string } };
  if (!answer?.isOk || !sent.media_id) throw new Error(error?.message ?? NO_UPLOAD_ANSWER);
  return sent as SentFile;
}

/** The id of an uploaded file, or an upload: the file's type sets the kind. */
export function MediaIdField(props: SettingFieldProps) {
  const { task } = usePanel();
  const change = useChangeSettings();
  return (
    <div>
      <TextField {...props} />
      <MediaUpload
        kind={undefined}
        mediaId={props.value}
        onUploaded={({ mediaId, kind, name }) =>
          change({
            media_id: mediaId,
            media_url: undefined,
            media_type: kind,
            filename: kind === 'document' ? (task.settings['filename'] ?? name) : undefined,
            ...(kind === 'audio' ? { caption: undefined } : {}),
          })
        }
      />
    </div>
  );
}
