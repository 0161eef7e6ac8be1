'use client';
import { Lock } from 'lucide-react';
import { type FormEvent, useState, useTransition } from 'react';
import { useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { toast } from '#components/ui/toaster.tsx';
import { listCredentials, type SettingCredential } from '#lib/tasks/plain-credentials.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { usePanel } from './panel-context.tsx';
import { suggestSecretName } from './suggest-secret-name.ts';

/** Below a field with a credential: stores it as a named secret. */
export function MoveToSecret({ path, onChange }: { path: string; onChange: (text: string) => void }) {
  const { task, canEdit } = usePanel();
  const definition = canEdit ? findTaskDefinition(task.type) : undefined;
  const credential =
    definition && listCredentials(definition, task.settings).find((each) => each.path === path);
  return credential ? <MoveButton credential={credential} onChange={onChange} /> : null;
}

function MoveButton({
  credential,
  onChange,
}: {
  credential: SettingCredential;
  onChange: (text: string) => void;
}) {
  const { editor, actions, flush } = useEditorContext();
  const secrets = useEditorState((state) => state.secrets);
  const [name, setName] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [busy, startTransition] = useTransition();
  if (name === undefined)
    return (
      <Button
        size="sm"
        variant="ghost"
        icon={<Lock aria-hidden />}
        className="-ml-2.5 self-start"
        onClick={() =>
          setName(
            suggestSecretName(
              credential.name,
              secrets.map((secret) => secret.name),
            ),
          )
        }
      >
        Move to a secret
      </Button>
    );
  const close = () => {
    setName(undefined);
    setProblem(undefined);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    startTransition(async () => {
      const moved = await actions.moveToSecret({ name: name.trim(), value: credential.text });
      if (!moved.ok) return setProblem(moved.error.message);
      const added = [...editor.state.secrets, { name: name.trim(), allowedHosts: [] }];
      editor.store.set({ secrets: added.sort((a, b) => (a.name < b.name ? -1 : 1)) });
      onChange(credential.before + moved.data.variable + credential.after);
      close();
      toast.success(`Moved to the secret ${name.trim()}`, {
        description: 'Its value is shown to nobody. Settings → Secrets can replace it.',
      });
      void flush();
    });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2 rounded-md border border-line p-2.5">
      <Field
        label="Name of the secret"
        error={problem}
        help="Other tasks use it as {{secret.name}}. Its value is stored encrypted and shown to nobody."
      >
        <Input
          autoFocus
          value={name}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setName(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            event.stopPropagation();
            close();
          }}
        />
      </Field>
      <div className="flex gap-2">
        <Button size="sm" type="submit" variant="primary" loading={busy} disabled={name.trim() === ''}>
          Move to a secret
        </Button>
        <Button size="sm" variant="ghost" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
