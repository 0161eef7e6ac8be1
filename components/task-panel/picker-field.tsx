'use client';
import { Braces, RefreshCw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { PickerOption } from '#lib/screens/editor-types.ts';
import { useEditor } from '#components/editor/editor-context.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { listPicked } from '#lib/tasks/picks.ts';
import type { FieldMeta, PickSource } from '#lib/tasks/task-definition.ts';
import { ConnectHere } from './connect-here.tsx';
import { useFieldWords } from './field-words.tsx';
import { useChangeSettings, usePanel } from './panel-context.tsx';
import { changesOf, languagesOf, presetOf, suggestTemplate } from './picks.ts';
import { ModeButton } from './choice-field.tsx';
import type { SettingFieldProps } from './setting-field-props.ts';
import { TextField, TextInsteadOfList } from './text-field.tsx';
import { isVariableText } from './setting-text.ts';
import { usePicked, usePickerOptions } from './use-picker-options.ts';

/** Messages about a value that the platform does not list. */
const GONE: Record<PickSource, string> = {
  connection: 'This connection no longer exists. Select another one.',
  business_account: 'This connection cannot access the selected account.',
  phone_number: 'The account does not have this phone number.',
  message_template: 'The account has no approved message template with this name.',
  workflow: 'This workflow no longer exists. Select another one.',
};

/** Selects from the platform's options, or uses a variable. */
export function PickerField({
  picks: { from, unless },
  ...props
}: SettingFieldProps & { picks: NonNullable<FieldMeta['picks']> }) {
  const { value } = props;
  const { task } = usePanel();
  const [isText, setText] = useState(isVariableText(value));
  if (unless?.is.some((each) => each === task.settings[unless.field])) return <TextField {...props} />;
  return isText ? (
    <TextInsteadOfList {...props} showList={() => setText(false)} />
  ) : (
    <ListPicker {...props} kind={from} switchToText={() => setText(true)} />
  );
}

/** Lists that do not depend on a connection. */
const STANDS_ALONE: readonly PickSource[] = ['connection', 'workflow'];
/** A message template and a workflow are different in each task. */
const HAS_PRESET: readonly PickSource[] = ['connection', 'business_account', 'phone_number'];

type ListPickerProps = SettingFieldProps & { kind: PickSource; switchToText: () => void };

function ListPicker({ field, path, value, kind, switchToText }: ListPickerProps) {
  const { canEdit, task, fields } = usePanel();
  const change = useChangeSettings();
  const { data, error, isFetching, refetch } = usePickerOptions(kind);
  const chosen = typeof value === 'string' ? value : '';
  const options = data ?? [];
  const pick = (picked: string) =>
    change(changesOf(field, picked, options, { fields, settings: task.settings }));
  usePreset(field.name, kind, data, pick);
  const option = options.find((each) => each.value === chosen);
  const suggested = kind === 'message_template' ? suggestTemplate(options) : undefined;
  const connectionId = usePicked('connection');
  const needsConnection = !STANDS_ALONE.includes(kind) && connectionId === undefined;
  const words = useFieldWords(path, option && detailOf(option, options), {
    error: error?.message,
    warning: data && chosen !== '' && !option && !isFetching ? GONE[kind] : undefined,
  });
  return (
    <div data-field={path}>
      <Field
        label={field.title}
        {...words}
        // Without a connection, the error is at the connection's field.
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
            {canEdit && field.meta.variables && (
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
      {canEdit && chosen === '' && suggested !== undefined && (
        <Button size="sm" variant="ghost" className="mt-1 -ml-2.5" onClick={() => pick(suggested)}>
          Use “{suggested}”
        </Button>
      )}
      {kind === 'connection' && canEdit && data && <ConnectHere options={data} chosen={option} pick={pick} />}
    </div>
  );
}

const NEEDS_CONNECTION = 'Select an app connection first, or use a variable.';

/** Selects a default once: a user who clears it has a reason. */
function usePreset(
  name: string,
  kind: PickSource,
  options: readonly PickerOption[] | undefined,
  pick: (value: string) => void,
): void {
  const editor = useEditor();
  const { task, canEdit } = usePanel();
  const preset = useRef(false);
  const isEmpty = (task.settings[name] ?? '') === '';
  useEffect(() => {
    if (!canEdit || !isEmpty || !options || preset.current || !HAS_PRESET.includes(kind)) return;
    const others = editor.document.tasks.filter(({ id }) => id !== task.id).flatMap(listPicked);
    const value = presetOf(
      kind,
      options,
      others.filter(({ from }) => from === kind).map(({ value: used }) => used),
    );
    if (value === undefined) return;
    preset.current = true;
    pick(value);
  });
}

/** A template exists once per language; only its name is selected. */
const unique = (options: readonly PickerOption[]): PickerOption[] => [
  ...new Map(options.map((option) => [option.value, option])).values(),
];

const detailOf = ({ detail, template }: PickerOption, options: readonly PickerOption[]): string =>
  [template && languagesOf(options, template.name).join(', '), detail].filter(Boolean).join(' · ');
