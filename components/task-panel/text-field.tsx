'use client';
import { Lock } from 'lucide-react';
import { type FormEvent, useState, useTransition } from 'react';
import { useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input, Textarea } from '#components/ui/form/input.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import { escapeOf } from '#lib/editor/canvas/form-fields.ts';
import { listCredentials, type SettingCredential } from '#lib/tasks/plain-credentials.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { useFieldWords } from './field-words.tsx';
import { usePanel } from './panel-context.tsx';
import type { SettingFieldProps } from './setting-field-props.ts';
import { exampleOf, fromSettingText, toSettingText } from './setting-text.ts';
import { VariableField } from './variable-field.tsx';

/** A setting that is a text, with variables. */
export function TextField({ field, path, value, onChange, hideLabel = false, aside }: SettingFieldProps) {
  const { task } = usePanel();
  const { widget } = field.meta;
  const write = (text: string) => onChange(fromSettingText(text, field));
  const input = (
    <VariableField
      path={path}
      label={field.title}
      help={hideLabel ? undefined : field.description}
      hideLabel={hideLabel}
      value={toSettingText(value, field)}
      onChange={write}
      placeholder={exampleOf(field)}
      isMultiline={widget === 'multiline' || widget === 'code'}
      isCode={widget === 'code'}
      keepPlaceholders={field.meta.keepPlaceholders ?? false}
      escape={escapeOf(field, task.settings)}
      aside={aside}
    />
  );
  // Only a value with a name beside it can be recognized as a credential.
  if (field.name !== 'value') return input;
  return (
    <>
      {input}
      <MoveToSecret path={path} onChange={write} />
    </>
  );
}

/** A setting that is edited as JSON, because there is no better form. */
export function JsonField({ field, path, value, onChange }: SettingFieldProps) {
  const { canEdit } = usePanel();
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)));
  const [isWrong, setWrong] = useState(false);
  const words = useFieldWords(path, field.description, {
    error: isWrong ? 'Not valid JSON yet. The previous value is kept.' : undefined,
  });
  const change = (next: string) => {
    setText(next);
    try {
      onChange(next.trim() === '' ? undefined : JSON.parse(next));
      setWrong(false);
    } catch {
      setWrong(true);
    }
  };
  return (
    <div data-field={path}>
      <Field label={field.title} {...words}>
        <Textarea code value={text} readOnly={!canEdit} onChange={(event) => change(event.target.value)} />
      </Field>
    </div>
  );
}

/** Below a field with a credential: stores it as a named secret. */
function MoveToSecret({ path, onChange }: { path: string; onChange: (text: string) => void }) {
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
