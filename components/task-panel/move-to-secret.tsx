'use client';
import { Lock } from 'lucide-react';
import { type ComponentProps, type FormEvent, startTransition, useState, useTransition } from 'react';
import { useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import { listCredentials, type SettingCredential } from '#lib/tasks/plain-credentials.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { usePanel } from './panel-context.tsx';

interface MoveToSecretProps {
  /** Of the setting, as in `settings.headers[0].value`. */
  path: string;
  /** The text of the setting right after something was pasted into it. */
  pasted: string | undefined;
  onChange: (text: string) => void;
}

/** Below a field with a credential: stores it as a named secret. The form opens automatically when one was pasted. */
export function MoveToSecret({ path, pasted, onChange }: MoveToSecretProps) {
  const { task, canEdit } = usePanel();
  const definition = canEdit ? findTaskDefinition(task.type) : undefined;
  const credential =
    definition && listCredentials(definition, task.settings).find((each) => each.path === path);
  return credential ? (
    <MoveButton key={pasted} credential={credential} pasted={pasted} onChange={onChange} />
  ) : null;
}

function MoveButton({
  credential: { name: field, before, text, after },
  pasted,
  onChange,
}: Pick<MoveToSecretProps, 'pasted' | 'onChange'> & { credential: SettingCredential }) {
  const { flush } = useEditorContext();
  const suggestion = useSuggestedName(field);
  const store = useStoreSecret();
  const [name, setName] = useState(pasted === before + text + after ? suggestion : undefined);
  const [problem, setProblem] = useState<string>();
  const [busy, startStoring] = useTransition();
  if (name === undefined)
    return (
      <Button
        size="sm"
        variant="ghost"
        icon={<Lock aria-hidden />}
        className="-ml-2.5 self-start"
        onClick={() => setName(suggestion)}
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
    startStoring(async () => {
      const stored = await store(name.trim(), text);
      // Shown together with the end of storing: a key that is pressed in between would be ignored.
      if ('problem' in stored) return startTransition(() => setProblem(stored.problem));
      onChange(before + stored.variable + after);
      close();
      void flush();
    });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2 rounded-md border border-line p-2.5">
      <SecretNameField
        autoFocus
        name={name}
        problem={problem}
        onName={setName}
        onFocus={({ target }) => target.select()}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          close();
        }}
      />
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

interface SecretNameFieldProps extends Pick<
  ComponentProps<typeof Input>,
  'autoFocus' | 'onFocus' | 'onKeyDown'
> {
  name: string;
  problem: string | undefined;
  onName: (name: string) => void;
}

export function SecretNameField({ name, problem, onName, ...more }: SecretNameFieldProps) {
  return (
    <Field
      label="Name of the secret"
      error={problem}
      help="Other tasks use it as {{secret.name}}. Its value is stored encrypted and shown to nobody."
    >
      <Input
        {...more}
        value={name}
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onName(target.value)}
      />
    </Field>
  );
}

/** An unused name for the secret of a field; see `suggestSecretName`. */
export function useSuggestedName(field: string): string {
  const secrets = useEditorState((state) => state.secrets);
  return suggestSecretName(
    field,
    secrets.map(({ name }) => name),
  );
}

type Stored = { variable: string } | { problem: string };

/** Returns a function that stores a value as a secret of the workspace: the variable for it, or what is wrong. */
export function useStoreSecret(): (name: string, value: string) => Promise<Stored> {
  const { editor, actions } = useEditorContext();
  return async (name, value) => {
    const moved = await actions.moveToSecret({ name, value });
    if (!moved.ok) return { problem: moved.error.message };
    const added = [...editor.state.secrets, { name, allowedHosts: [] }];
    editor.store.set({ secrets: added.sort((a, b) => (a.name < b.name ? -1 : 1)) });
    toast.success(`Moved to the secret ${name}`, {
      description: 'Its value is shown to nobody. Settings → Secrets can replace it.',
    });
    return moved.data;
  };
}

const MAX_CHARACTERS = 60;

/**
 * An unused name for the secret of a header or parameter: `X-Api-Key` → `x_api_key`.
 * @param taken the names of the workspace's secrets
 */
export function suggestSecretName(field: string, taken: readonly string[]): string {
  const words = field
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_\d]+|_+$/g, '')
    .slice(0, MAX_CHARACTERS);
  const name = words || 'secret';
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? name : `${name}_${count}`;
    if (!taken.includes(candidate)) return candidate;
  }
}
