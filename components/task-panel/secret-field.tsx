'use client';
import { useEditorState } from '#components/editor/editor-context.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { Select } from '#components/ui/select.tsx';
import { readSecretVariable, writeSecretVariable } from '#lib/secrets/named-secret.ts';
import { findPlaceholders } from '#lib/secrets/placeholder-format.ts';
import { allowsSecrets } from '#lib/tasks/named-secrets.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { useFieldWords } from './field-words.tsx';
import { usePanel } from './panel-context.tsx';
import type { SettingFieldProps } from './setting-field-props.ts';

/** No named secret has this name: they contain letters. */
const HERE = '-';

/** A setting that is completely secret: a stored value is not shown, and typing replaces it. */
export function SecretField({ field, path, value, onChange }: SettingFieldProps) {
  const { canEdit, task } = usePanel();
  const names = useEditorState((state) => state.secrets).map((secret) => secret.name);
  const definition = findTaskDefinition(task.type);
  const text = typeof value === 'string' ? value : '';
  const named = readSecretVariable(text);
  const offersNames = definition !== undefined && names.length > 0 && allowsSecrets(definition, path);
  const isStored = findPlaceholders(text).some(({ id }) => id !== undefined);
  const help =
    named !== undefined
      ? 'A new value of the secret counts within seconds.'
      : isStored
        ? 'Stored encrypted and shown to nobody. Type to replace it.'
        : field.description;
  const words = useFieldWords(path, help);
  return (
    <div data-field={path} className="flex flex-col gap-2">
      {(offersNames || named !== undefined) && (
        <Field
          label={named === undefined ? 'Where the secret is' : field.title}
          {...(named === undefined ? {} : words)}
        >
          <Select
            disabled={!canEdit}
            value={named ?? HERE}
            options={[
              { value: HERE, label: 'Stored in this task' },
              ...[...new Set([...(named === undefined ? [] : [named]), ...names])].map((name) => ({
                value: name,
                label: writeSecretVariable(name),
              })),
            ]}
            onValueChange={(name) => onChange(name === HERE ? undefined : writeSecretVariable(name))}
          />
        </Field>
      )}
      {named === undefined && (
        <Field label={field.title} {...words}>
          <Input
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={isStored ? '' : text}
            placeholder={isStored ? '••••••' : undefined}
            readOnly={!canEdit}
            onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
          />
        </Field>
      )}
    </div>
  );
}
