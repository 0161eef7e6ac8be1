'use client';
import { Braces, List, RefreshCw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { PickerOption } from '#lib/screens/editor-types.ts';
import { useEditor } from '#components/editor/editor-context.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Field } from '#components/ui/field.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Select } from '#components/ui/select.tsx';
import { ConnectHere } from './connect-here.tsx';
import { useFieldWords } from './field-words.tsx';
import { usePanel } from './panel-context.tsx';
import { changesOf, languagesOf, presetOf } from './picks.ts';
import { ModeButton } from './mode-button.tsx';
import type { SettingFieldProps } from './setting-field-props.ts';
import { TextField } from './text-field.tsx';
import { isVariableText } from './setting-text.ts';
import { useChangeSettings } from './use-change-settings.ts';
import { knownText, type PickerKind, usePickerOptions } from './use-picker-options.ts';

const KINDS: Readonly<Record<string, PickerKind>> = {
  app_connection_id: 'connection',
  business_account_id: 'business_account',
  phone_number_id: 'phone_number',
  template_name: 'message_template',
  fallback_template_name: 'message_template',
};

/** What is said of something that is set but is not among what the platform has. */
const GONE: Record<PickerKind, string> = {
  connection: 'This connection no longer exists. Select another one.',
  business_account: 'This connection cannot access the selected account.',
  phone_number: 'The account does not have this number.',
  message_template: 'The account has no approved message template with this name.',
};

/** One of what the platform has, or a variable that says which. */
export function PickerField(props: SettingFieldProps) {
  const { value, field } = props;
  const { task } = usePanel();
  const kind = KINDS[field.name];
  const isNewName = field.name === 'template_name' && task.settings['action'] === 'create_template';
  const [isText, setText] = useState(isVariableText(value));
  if (isNewName || kind === undefined) return <TextField {...props} />;
  return isText ? (
    <TextField
      {...props}
      aside={
        <ModeButton
          label="Choose from the list"
          icon={<List aria-hidden />}
          onClick={() => {
            setText(false);
            if (isVariableText(value)) props.onChange(undefined);
          }}
        />
      }
    />
  ) : (
    <ListPicker {...props} kind={kind} switchToText={() => setText(true)} />
  );
}

type ListPickerProps = SettingFieldProps & { kind: PickerKind; switchToText: () => void };

function ListPicker({ field, path, value, kind, switchToText }: ListPickerProps) {
  const { canEdit, task } = usePanel();
  const change = useChangeSettings();
  const { data, error, isFetching, refetch } = usePickerOptions(kind);
  const chosen = typeof value === 'string' ? value : '';
  const options = data ?? [];
  const pick = (picked: string) => change(changesOf(kind, field.name, picked, options, task.settings));
  usePreset(field.name, kind, data, pick);
  const option = options.find((each) => each.value === chosen);
  const needsConnection =
    kind !== 'connection' && knownText(task.settings['app_connection_id']) === undefined;
  const words = useFieldWords(path, option && detailOf(option, options), {
    error: error?.message,
    warning: data && chosen !== '' && !option && !isFetching ? GONE[kind] : undefined,
  });
  return (
    <div data-field={path}>
      <Field
        label={field.title}
        {...words}
        // What is missing here is said by the field of the connection.
        error={needsConnection && chosen === '' ? undefined : words.error}
        help={needsConnection && chosen === '' ? NEEDS_CONNECTION : words.help}
        aside={
          <span className="flex items-center gap-1">
            {option?.badge && <Badge tone={option.badge.tone}>{option.badge.text}</Badge>}
            {canEdit && !needsConnection && (
              <IconButton
                label={`Reload the list: ${field.title}`}
                size="sm"
                className="h-6 w-7"
                onClick={() => void refetch()}
              >
                <RefreshCw aria-hidden className={isFetching ? 'animate-spin' : ''} />
              </IconButton>
            )}
            {canEdit && (
              <ModeButton
                label="Use a variable instead"
                icon={<Braces aria-hidden />}
                onClick={switchToText}
              />
            )}
          </span>
        }
      >
        <Select
          aria-label={field.title}
          value={chosen}
          disabled={!canEdit || (options.length === 0 && chosen === '')}
          placeholder={isFetching && !data ? 'Loading…' : 'Choose…'}
          onValueChange={pick}
          options={[
            ...(chosen === '' || option ? [] : [{ value: chosen, label: chosen }]),
            ...unique(options).map((each) => ({
              value: each.value,
              label: each.label,
              description: [detailOf(each, options), each.badge?.text].filter(Boolean).join(' · '),
            })),
          ]}
        />
      </Field>
      {kind === 'connection' && canEdit && data && <ConnectHere options={data} chosen={option} pick={pick} />}
    </div>
  );
}

const NEEDS_CONNECTION = 'Select an app connection first, or use a variable.';

/** Chooses what can only be meant, once: who takes it away again has a reason. */
function usePreset(
  name: string,
  kind: PickerKind,
  options: readonly PickerOption[] | undefined,
  pick: (value: string) => void,
): void {
  const editor = useEditor();
  const { task, canEdit } = usePanel();
  const preset = useRef(false);
  const isEmpty = (task.settings[name] ?? '') === '';
  useEffect(() => {
    if (!canEdit || !isEmpty || !options || preset.current || kind === 'message_template') return;
    const others = editor.document.tasks.filter(({ id, type }) => id !== task.id && type === task.type);
    const value = presetOf(
      options,
      others.map(({ settings }) => settings[name]),
    );
    if (value === undefined) return;
    preset.current = true;
    pick(value);
  });
}

/** A template is there once for each language; its name is chosen. */
const unique = (options: readonly PickerOption[]): PickerOption[] => [
  ...new Map(options.map((option) => [option.value, option])).values(),
];

const detailOf = ({ detail, template }: PickerOption, options: readonly PickerOption[]): string =>
  [template && languagesOf(options, template.name).join(', '), detail].filter(Boolean).join(' · ');
