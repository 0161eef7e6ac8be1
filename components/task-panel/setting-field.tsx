'use client';
import { Braces, List } from 'lucide-react';
import { useState } from 'react';
import { useEditorState } from '#components/editor/editor-context.tsx';
import { Switch } from '#components/ui/form/checkbox.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { readSecretVariable, writeSecretVariable } from '#lib/secrets/named-secret.ts';
import { findPlaceholders } from '#lib/secrets/placeholder-format.ts';
import { allowsSecrets } from '#lib/tasks/named-secrets.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { CalendarField } from './calendar-field.tsx';
import { ChoiceField, ModeButton } from './choice-field.tsx';
import { useFieldWords } from './field-words.tsx';
import { LanguageField } from './language-field.tsx';
import { ListField } from './list-field.tsx';
import { MoveToSecret } from './move-to-secret.tsx';
import { usePanel } from './panel-context.tsx';
import { PickerField } from './picker-field.tsx';
import type { SettingFieldProps } from './setting-field-props.ts';
import { exampleOf, isVariableText, toSettingText } from './setting-text.ts';
import { findTaskLook } from './task-types/looks.ts';
import { JsonField, TextField } from './text-field.tsx';
import { VariableField } from './variable-field.tsx';

/** One setting, rendered by its schema, or by its type's own component. */
export function SettingField(props: SettingFieldProps) {
  const { field, path } = props;
  const look = findTaskLook(usePanel().task.type);
  const Own = path === `settings.${field.name}` ? look?.fields?.[field.name] : undefined;
  if (Own) return <Own {...props} />;
  if (field.kind === 'list') return <ListField {...props} ItemField={SettingField} />;
  if (field.kind === 'json') return <JsonField {...props} />;
  if (field.kind === 'enum') return <ChoiceField {...props} />;
  if (field.kind === 'choice' || field.kind === 'flag') return <ChoiceOrVariable {...props} />;
  if (field.kind === 'boolean') return <FlagField {...props} />;
  if (field.kind === 'number') return <NumberField {...props} />;
  if (field.meta.secrets === 'whole') return <SecretField {...props} />;
  const { picks, languageOf, calendar } = field.meta;
  if (picks) return <PickerField {...props} picks={picks} />;
  if (calendar) return <CalendarField {...props} />;
  if (languageOf !== undefined) return <LanguageField {...props} nameField={languageOf} />;
  return field.meta.variables ? <TextField {...props} /> : <PlainField {...props} />;
}

function PlainField({ field, path, value, onChange, hideLabel = false }: SettingFieldProps) {
  const { canEdit } = usePanel();
  return (
    <div data-field={path}>
      <Field
        label={field.title}
        {...useFieldWords(path, hideLabel ? undefined : field.description)}
        hideLabel={hideLabel}
      >
        <Input
          value={toSettingText(value, field)}
          placeholder={exampleOf(field)}
          readOnly={!canEdit}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
    </div>
  );
}

function NumberField({ field, path, value, onChange }: SettingFieldProps) {
  const { canEdit } = usePanel();
  const shown = value === undefined ? field.defaultValue : value;
  return (
    <div data-field={path}>
      <Field label={field.title} {...useFieldWords(path, field.description)}>
        <Input
          type="number"
          inputMode="decimal"
          step="any"
          value={typeof shown === 'number' || typeof shown === 'string' ? shown : ''}
          readOnly={!canEdit}
          onChange={({ target }) => onChange(target.value === '' ? undefined : Number(target.value))}
        />
      </Field>
    </div>
  );
}

function FlagField({ field, path, value, onChange }: SettingFieldProps) {
  const { canEdit } = usePanel();
  return (
    <div data-field={path}>
      <Switch
        label={field.title}
        checked={(value ?? field.defaultValue) === true}
        disabled={!canEdit}
        onCheckedChange={onChange}
      />
      {field.description && <p className="mt-1 text-sm text-muted">{field.description}</p>}
    </div>
  );
}

/** A choice or a switch that can also be a variable. */
function ChoiceOrVariable(props: SettingFieldProps) {
  const { field, path, value, onChange } = props;
  const { canEdit } = usePanel();
  const [isText, setText] = useState(isVariableText(value));
  if (isText) {
    return (
      <VariableField
        path={path}
        label={field.title}
        help={field.description}
        value={toSettingText(value, { defaultValue: undefined })}
        onChange={(text) => onChange(text === '' ? undefined : text)}
        aside={
          <ModeButton
            label="Select from the list"
            icon={<List aria-hidden />}
            onClick={() => {
              setText(false);
              onChange(undefined);
            }}
          />
        }
      />
    );
  }
  return (
    <div className="flex items-start gap-1">
      <div className="min-w-0 flex-1">
        {field.kind === 'flag' ? <FlagField {...props} /> : <ChoiceField {...props} />}
      </div>
      {canEdit && (
        <ModeButton
          label="Use a variable instead"
          icon={<Braces aria-hidden />}
          onClick={() => setText(true)}
        />
      )}
    </div>
  );
}

/** No named secret has this name: they contain letters. */
const HERE = '-';

/** A setting that is completely secret: a stored value is not shown, and typing replaces it. */
function SecretField({ field, path, value, onChange }: SettingFieldProps) {
  const { canEdit, task } = usePanel();
  const [pasted, setPasted] = useState<string>();
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
            onChange={({ target, nativeEvent }) => {
              onChange(target.value === '' ? undefined : target.value);
              if ((nativeEvent as InputEvent).inputType === 'insertFromPaste') setPasted(target.value);
            }}
          />
        </Field>
      )}
      <MoveToSecret path={path} pasted={pasted} onChange={onChange} />
    </div>
  );
}
