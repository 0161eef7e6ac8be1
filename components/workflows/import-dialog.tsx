'use client';
import { FileUp } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useRef, useState, useTransition } from 'react';
import { type ChosenSender, SenderFields } from '#components/connections/sender-fields.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Dialog, DialogClose } from '#components/ui/overlay/dialog.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Textarea } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import type { Problem } from '#lib/core/errors.ts';
import type { ActionError } from '#lib/identity/auth/action-types.ts';
import { findImportSizeProblem } from '#lib/workflows/draft-size.ts';
import type { ImportCheck } from '#lib/workflows/import-schema.ts';
import type { WorkflowActions } from './workflow-actions-types.ts';

export interface ImportDialogProps extends Pick<
  WorkflowActions,
  'checkImportText' | 'importText' | 'listOptions' | 'startLogin'
> {
  onOpenChange: (open: boolean) => void;
}

/** Imports a workflow from a file or the clipboard; shows problems by path, and asks for connections. */
export function ImportDialog({ onOpenChange, checkImportText, importText, ...options }: ImportDialogProps) {
  const [sender, setSender] = useState<ChosenSender>();
  const [text, setText] = useState('');
  const [check, setCheck] = useState<ImportCheck | null>(null);
  const [chosen, setChosen] = useState<Record<string, string>>({});
  const [error, setError] = useState<ActionError | null>(null);
  const [busy, startTransition] = useTransition();
  const file = useRef<HTMLInputElement>(null);
  const router = useRouter();

  const change = (next: string) => {
    setText(next);
    setCheck(null);
    setError(null);
  };
  const look = (content: string) =>
    startTransition(async () => {
      const tooLarge = findImportSizeProblem(content);
      if (tooLarge !== undefined)
        return setError({ code: 'invalid_request', message: tooLarge, problems: [] });
      const checked = await checkImportText({ text: content });
      if (!checked.ok) return setError(checked.error);
      setCheck(checked.data);
      setChosen(Object.fromEntries(checked.data.unknownConnections.map(({ id }) => [id, ''])));
    });
  const readFile = async (picked: File | undefined) => {
    if (!picked) return;
    const content = await picked.text();
    change(content);
    look(content);
  };
  const make = () =>
    startTransition(async () => {
      const made = await importText({
        text,
        connections: chosen,
        ...(sender && asksOnce(check) ? { sender } : {}),
      });
      if (made.ok) router.push(`/workflows/${made.data.id}`);
      else setError(made.error);
    });
  const isReady = check !== null && check.problems.length === 0;
  const problems = error?.problems.length ? error.problems : (check?.problems ?? []);
  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title="Import a workflow"
      description="From an exported file or the clipboard."
      footer={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button
            variant="primary"
            loading={busy}
            disabled={text.trim() === ''}
            onClick={isReady ? make : () => look(text)}
          >
            {isReady ? 'Import' : 'Check'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <input
          ref={file}
          type="file"
          accept=".json,application/json"
          className="sr-only"
          tabIndex={-1}
          aria-label="File"
          onChange={(event) => void readFile(event.target.files?.[0])}
        />
        <Button icon={<FileUp aria-hidden />} className="self-start" onClick={() => file.current?.click()}>
          Choose a file
        </Button>
        <Field label="Or paste the JSON">
          <Textarea
            code
            rows={check ? 4 : 9}
            value={text}
            placeholder={'{\n  "name": "Order confirmation",\n  "tasks": [ … ],\n  "edges": [ … ]\n}'}
            onChange={(event) => change(event.target.value)}
          />
        </Field>
        {error && problems.length === 0 && (
          <Callout tone="danger" live>
            {error.message}
          </Callout>
        )}
        <ImportProblems problems={problems} />
        <ImportProblems problems={check?.warnings ?? []} areWarnings />
        {isReady && (
          <Callout tone="success" live title={`“${check.name}” can be imported`}>
            {check.taskCount === 1 ? '1 task' : `${check.taskCount} tasks`}. It is imported as a draft with
            its own URLs.
          </Callout>
        )}
        {isReady && asksOnce(check) && (
          <section aria-label="Sender" className="flex flex-col gap-3">
            <p className="text-muted">
              Every message task that has no connection of this workspace sends from here. You can also select
              it later, in the tasks.
            </p>
            <SenderFields {...options} onChange={setSender} />
          </section>
        )}
        {isReady && check.unknownConnections.length > 1 && (
          <ImportConnections check={check} chosen={chosen} onChange={setChosen} />
        )}
      </div>
    </Dialog>
  );
}

/** Several connections of the file are replaced one by one; otherwise one replacement is for all tasks. */
const asksOnce = (check: ImportCheck | null): boolean =>
  check !== null && check.needsSender && check.unknownConnections.length <= 1;

const LATER = 'later';

export interface ImportConnectionsProps {
  check: ImportCheck;
  /** By the id in the file; empty: to be selected later. */
  chosen: Record<string, string>;
  onChange: (chosen: Record<string, string>) => void;
}

/** Selects replacements for connections that do not exist in this workspace. */
const ImportConnections = ({ check, chosen, onChange }: ImportConnectionsProps) => (
  <fieldset className="flex flex-col gap-3">
    <legend className="mb-2 font-medium">Connections not in this workspace</legend>
    {check.unknownConnections.map(({ id, taskNames }) => (
      <Field key={id} label={`Used by ${taskNames.map((name) => `“${name}”`).join(', ')}`}>
        <Select
          options={[
            { value: LATER, label: 'Select later, in the tasks' },
            ...check.connections.map((connection) => ({ value: connection.id, label: connection.name })),
          ]}
          value={chosen[id] || LATER}
          onValueChange={(value) => onChange({ ...chosen, [id]: value === LATER ? '' : value })}
        />
      </Field>
    ))}
  </fieldset>
);

/** Problems and warnings of an import: which task and field, and the fix. */
function ImportProblems({
  problems,
  areWarnings = false,
}: {
  problems: readonly (Problem & { where?: string | undefined })[];
  areWarnings?: boolean;
}) {
  if (problems.length === 0) return null;
  const word = areWarnings ? 'warning' : 'problem';
  const title = problems.length === 1 ? `1 ${word}` : `${problems.length} ${word}s`;
  return (
    <Callout tone={areWarnings ? 'warning' : 'danger'} live title={title}>
      <ul className="mt-1 flex flex-col gap-1.5">
        {problems.map(({ path, where, message }, index) => (
          <li key={index}>
            {(where ?? path) && (
              <strong title={path} className="font-medium">
                {where ?? path}:
              </strong>
            )}{' '}
            {message}
          </li>
        ))}
      </ul>
      {areWarnings && (
        <p className="mt-2">
          You can import the file as it is, and move the keys to secrets in the tasks. Whoever has the file
          can read them.
        </p>
      )}
    </Callout>
  );
}
