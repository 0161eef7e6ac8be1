'use client';
import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { SignedOutError } from '#components/live/fetch-json.ts';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { FormDialog } from '#components/ui/form/form-dialog.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { readLocalInput, toLocalInput } from '#components/ui/form/local-time.ts';
import { Select } from '#components/ui/form/select.tsx';
import { useZone } from '#components/ui/relative-time.tsx';
import { saveFile } from '#components/workflows/download-text.ts';
import type { ActionError } from '#lib/identity/auth/action-types.ts';
import {
  EXPORT_FORMATS,
  EXPORT_KINDS,
  type ExportFormat,
  type ExportKind,
  RowCounter,
} from '#lib/exports/export-format.ts';

const KIND_WORDS: Readonly<Record<ExportKind, string>> = {
  events: 'Events',
  runs: 'Runs',
  messages: 'Messages',
};
const KIND_HELP: Readonly<Record<ExportKind, string>> = {
  events: 'With outcome, headers and body.',
  runs: 'With status and error.',
  messages: 'Sent messages with recipient and status.',
};
const FORMAT_WORDS: Readonly<Record<ExportFormat, { label: string; description: string }>> = {
  csv: { label: 'CSV', description: 'For spreadsheets' },
  jsonl: { label: 'JSON Lines', description: 'For programs: one JSON object per line' },
};
const KIND_OPTIONS = EXPORT_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }));
const FORMAT_OPTIONS = EXPORT_FORMATS.map((value) => ({ value, ...FORMAT_WORDS[value] }));

const MINUTE_MS = 60_000;
const DEFAULT_SPAN_MS = 7 * 24 * 60 * MINUTE_MS;

interface Input {
  kind: ExportKind;
  /** Values of date and time inputs, in the zone of the screens. */
  from: string;
  to: string;
  format: ExportFormat;
}

/** The last 7 days, including the minute that it is. */
const startInput = (kind: ExportKind, { nowMs, zone }: { nowMs: number; zone: string }): Input => ({
  kind,
  from: toLocalInput(new Date(nowMs - DEFAULT_SPAN_MS).toISOString(), zone),
  to: toLocalInput(new Date(nowMs + MINUTE_MS).toISOString(), zone),
  format: 'csv',
});

type Problems = Readonly<Record<string, string>>;

/** A problem of the export, by the field it belongs to; '' is the whole form. */
class ExportProblem extends Error {
  readonly problems: Problems;

  constructor(problems: Problems) {
    super('The export did not finish.');
    this.problems = problems;
  }
}

/** Saves events, runs or messages of a span of time as a file. @param kind what is selected first */
export function ExportDialog({ kind }: { kind: ExportKind }) {
  const zone = useZone();
  const [open, setOpen] = useState(false);
  const [input, setInput] = useState<Input>();
  const [problems, setProblems] = useState<Problems>({});
  const [rows, setRows] = useState<number>();
  const [saved, setSaved] = useState<{ name: string; rows: number }>();
  const running = useRef<AbortController>(null);
  const changeOpen = (next: boolean) => {
    running.current?.abort();
    setOpen(next);
    setRows(undefined);
    setSaved(undefined);
    setProblems({});
    if (next) setInput(startInput(kind, { nowMs: Date.now(), zone }));
  };
  const change = (changed: Partial<Input>) => {
    if (input) setInput({ ...input, ...changed });
    setProblems({});
  };
  const submit = async (asked: Input) => {
    const abort = new AbortController();
    running.current = abort;
    setProblems({});
    setRows(0);
    try {
      const file = await downloadExport({ ...asked, zone }, abort.signal, setRows);
      saveFile(file.content, file.name);
      setSaved({ name: file.name, rows: file.rows });
    } catch (error) {
      if (abort.signal.aborted) return;
      setProblems(
        error instanceof ExportProblem ? error.problems : { '': error instanceof Error ? error.message : '' },
      );
    }
    setRows(undefined);
  };
  const busy = rows !== undefined;
  return (
    <FormDialog
      open={open}
      onOpenChange={changeOpen}
      title="Export"
      size="md"
      description="Everything in your workspace from this time, newest first. Filters of the list don’t apply."
      trigger={<Button icon={<Download aria-hidden className="size-4" />}>Export</Button>}
      submitLabel="Export"
      busy={busy}
      noValidate
      onSubmit={() => void (input && submit(input))}
      problem={problems['']}
      result={
        saved && (
          <Callout
            tone="success"
            live
            title={saved.rows === 0 ? 'Nothing in this time' : 'Export downloaded'}
          >
            {countRows(saved.rows)} in {saved.name}
          </Callout>
        )
      }
    >
      {input && <ExportFields {...{ input, change, problems, busy }} />}
      {busy && (
        <p role="status" className="text-sm text-muted tabular-nums">
          {rows === 0 ? 'Starting…' : `${countRows(rows)} so far. Keep this page open.`}
        </p>
      )}
    </FormDialog>
  );
}

const countRows = (rows: number): string => `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`;

function ExportFields({
  input,
  change,
  problems,
  busy,
}: {
  input: Input;
  change: (changed: Partial<Input>) => void;
  problems: Problems;
  busy: boolean;
}) {
  const zone = useZone();
  const instant = (name: 'from' | 'to') => (
    <Input
      type="datetime-local"
      value={input[name]}
      disabled={busy}
      onChange={({ target }) => change({ [name]: target.value })}
    />
  );
  return (
    <>
      <Field label="Data" help={KIND_HELP[input.kind]}>
        <Select
          options={KIND_OPTIONS}
          value={input.kind}
          disabled={busy}
          onValueChange={(kind) => change({ kind })}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="From" help={zone} error={problems['from']}>
          {instant('from')}
        </Field>
        <Field label="To" help={zone} error={problems['to']}>
          {instant('to')}
        </Field>
      </div>
      <Field label="Format" help={`${FORMAT_WORDS[input.format].description}.`}>
        <Select
          options={FORMAT_OPTIONS}
          value={input.format}
          disabled={busy}
          onValueChange={(format) => change({ format })}
        />
      </Field>
    </>
  );
}

/** The instant of an input's value. @throws ExportProblem when it is empty or incomplete */
async function toInstant(name: 'from' | 'to', value: string, zone: string): Promise<string> {
  const at = await readLocalInput(value, zone);
  if (at === undefined) throw new ExportProblem({ [name]: 'Enter a date and time.' });
  return at;
}

interface ExportFile {
  content: Blob;
  name: string;
  rows: number;
}

/** Browsers keep blobs outside of the page's memory: what has arrived is moved there in parts. */
const BLOB_BYTES = 4 * 1024 * 1024;

/**
 * Downloads an export. @param onRows how many rows have arrived
 * @throws ExportProblem, SignedOutError, and whatever ends a download
 */
async function downloadExport(
  { kind, format, from, to, zone }: Input & { zone: string },
  signal: AbortSignal,
  onRows: (rows: number) => void,
): Promise<ExportFile> {
  const span = { from: await toInstant('from', from, zone), to: await toInstant('to', to, zone) };
  if (span.from >= span.to) throw new ExportProblem({ from: 'Enter a time before “To”.' });
  const query = new URLSearchParams({ ...span, format });
  const response = await fetch(`/exports/${kind}?${query.toString()}`, { signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new ExportProblem({ '': 'The server cannot be reached. Try again.' });
  });
  if (response.status === 401) throw new SignedOutError();
  if (!response.ok || !response.body) throw await toProblem(response);
  const counter = new RowCounter(format);
  const blobs: Blob[] = [];
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      counter.add(part.value);
      onRows(counter.rows);
      parts.push(part.value);
      bytes += part.value.length;
      if (bytes < BLOB_BYTES) continue;
      blobs.push(new Blob(parts));
      [parts, bytes] = [[], 0];
    }
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ExportProblem({
      '': `The connection broke after ${countRows(counter.rows)}, and no file was saved. Try again, or export a shorter time.`,
    });
  }
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return {
    content: new Blob([...blobs, ...parts], { type: response.headers.get('content-type') ?? '' }),
    name: name ?? `${kind}.${format}`,
    rows: counter.rows,
  };
}

async function toProblem(response: Response): Promise<ExportProblem> {
  const body = (await response.json().catch(() => undefined)) as { error?: Partial<ActionError> } | undefined;
  const { message = `The server answered ${response.status}: try again.`, problems = [] } = body?.error ?? {};
  const ofFields = problems.filter(({ path }) => path === 'from' || path === 'to');
  if (ofFields.length === 0) return new ExportProblem({ '': message });
  return new ExportProblem(Object.fromEntries(ofFields.map(({ path, message: what }) => [path, what])));
}
