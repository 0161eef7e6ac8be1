'use client';
import { FileCheck, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { TEMPLATE_LIMITS } from '#lib/messaging/message-templates/schema/components.ts';
import { SAMPLE_ENDINGS } from '#lib/messaging/message-templates/schema/sample-formats.ts';
import { listNames } from '#lib/messaging/message-templates/schema/stored-template.ts';
import { Count, type PartProps } from './template-form-parts.tsx';

const FORMATS = [
  { value: 'NONE', label: 'None' },
  { value: 'TEXT', label: 'Text' },
  { value: 'IMAGE', label: 'Picture' },
  { value: 'VIDEO', label: 'Video' },
  { value: 'DOCUMENT', label: 'Document' },
] as const;

/** The optional header: a line of text, or a file. */
export function TemplateHeader({
  draft,
  change,
  problemOf,
  connectionId,
}: PartProps & { connectionId: string }) {
  const { headerFormat, headerText, headerExample } = draft;
  const [placeholder] = listNames(headerText);
  return (
    <>
      <Field label="Header" className="sm:w-56">
        <Select
          value={headerFormat}
          onValueChange={(value) => change({ headerFormat: value, headerExample: '' })}
          options={FORMATS}
        />
      </Field>
      {headerFormat === 'TEXT' && (
        <Field
          label="Header text"
          help="At most one placeholder, {{1}} or a name such as {{order_id}}."
          aside={<Count text={headerText} limit={TEMPLATE_LIMITS.header} />}
          error={problemOf('HEADER.text')}
        >
          <Input value={headerText} onChange={({ target }) => change({ headerText: target.value })} />
        </Field>
      )}
      {headerFormat !== 'NONE' && headerFormat !== 'TEXT' && (
        <SampleUpload
          key={headerFormat}
          connectionId={connectionId}
          format={headerFormat}
          handle={headerExample}
          onUploaded={(handle) => change({ headerExample: handle })}
          error={problemOf('HEADER.example') && 'Upload a sample file.'}
        />
      )}
      {headerFormat === 'TEXT' && placeholder !== undefined && (
        <Field
          label={`Example for {{${placeholder}}} in the header`}
          error={problemOf('HEADER.example') && 'Enter a sample value for the placeholder.'}
        >
          <Input value={headerExample} onChange={({ target }) => change({ headerExample: target.value })} />
        </Field>
      )}
    </>
  );
}

export interface SampleUploadProps {
  connectionId: string;
  format: keyof typeof SAMPLE_ENDINGS;
  handle: string;
  onUploaded: (handle: string) => void;
  error: string | undefined;
}

const NO_ANSWER = 'The upload failed. Check your internet connection and try again.';

/** Uploads the sample file for the platform's reviewers; the template refers to its handle. */
function SampleUpload({ connectionId, format, handle, onUploaded, error }: SampleUploadProps) {
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const endings: readonly string[] = SAMPLE_ENDINGS[format];
  const upload = async (file: File) => {
    const ending = file.name.split('.').at(-1)?.toLowerCase() ?? '';
    if (!endings.includes(ending)) return setProblem(`Choose a file that ends in ${endings.join(', ')}.`);
    setBusy(true);
    setProblem(undefined);
    try {
      onUploaded(await sendSample(connectionId, file));
      setName(file.name);
    } catch (failure) {
      setProblem((failure as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-col items-start gap-2">
      <Field
        label="Sample file"
        help={`For the platform’s reviewers; customers never get it. ${endings.join(', ')}`}
        error={problem ?? error}
        className="w-full"
      >
        <Input
          readOnly
          value={handle === '' ? '' : name || 'A file that was uploaded before'}
          placeholder="No file yet"
        />
      </Field>
      <Button
        size="sm"
        icon={handle === '' ? <Upload aria-hidden /> : <FileCheck aria-hidden />}
        loading={busy}
        onClick={() => input.current?.click()}
      >
        {handle === '' ? 'Upload a sample file' : 'Upload another file'}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Sample file to upload"
        accept={endings.map((ending) => `.${ending}`).join()}
        onChange={({ target }) => {
          const file = target.files?.[0];
          // Allows the same file to be selected again after a fix.
          target.value = '';
          if (file) void upload(file);
        }}
      />
    </div>
  );
}

async function sendSample(connectionId: string, file: File): Promise<string> {
  const query = new URLSearchParams({ for: 'template_sample', connection: connectionId, name: file.name });
  const response = await fetch(`/media?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
  }).catch(() => undefined);
  const answer = (await response?.json().catch(() => undefined)) as
    | { handle?: string; error?: { message?: string } }
    | undefined;
  if (response?.ok && answer?.handle) return answer.handle;
  throw new Error(answer?.error?.message ?? NO_ANSWER);
}
