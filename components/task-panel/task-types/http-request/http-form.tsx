'use client';
import { ClipboardPaste } from 'lucide-react';
import { useState } from 'react';
import { useChangeSettings, usePanel } from '#components/task-panel/panel-context.tsx';
import type { SettingFields } from '#components/task-panel/task-types/task-look.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Textarea } from '#components/ui/form/input.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import { parseCurl } from '#lib/tasks/http-request/parse-curl.ts';
import { CredentialSection } from './credential-section.tsx';

/** The plain form, with curl import and authentication. */
export const HttpForm = ({ Fields }: { Fields: SettingFields }) => (
  <>
    <CurlImport />
    <Fields />
    <CredentialSection />
  </>
);

/** Imports the request of a curl command. */
function CurlImport() {
  const { canEdit } = usePanel();
  const change = useChangeSettings();
  const [text, setText] = useState<string>();
  const [problem, setProblem] = useState<string>();
  if (!canEdit) return null;
  if (text === undefined) {
    return (
      <Button
        size="sm"
        variant="ghost"
        icon={<ClipboardPaste aria-hidden />}
        className="-ml-2.5 self-start"
        onClick={() => setText('')}
      >
        Import from curl
      </Button>
    );
  }
  const close = () => {
    setText(undefined);
    setProblem(undefined);
  };
  const importText = () => {
    const request = parseCurl(text);
    if (request.problem !== undefined) return setProblem(request.problem);
    change(request.value);
    close();
    toast.success('The request was imported. Undo brings back the previous settings.');
  };
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-line p-3">
      <Field label="curl command" help="Replaces method, URL, headers and body." error={problem}>
        <Textarea
          code
          autoFocus
          value={text}
          placeholder={"e.g. curl https://api.example.com/orders -H 'Accept: application/json'"}
          onChange={({ target }) => {
            setText(target.value);
            setProblem(undefined);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            close();
          }}
        />
      </Field>
      <div className="flex gap-2">
        <Button size="sm" variant="primary" disabled={text.trim() === ''} onClick={importText}>
          Import
        </Button>
        <Button size="sm" variant="ghost" onClick={close}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
