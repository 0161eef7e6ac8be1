'use client';
import { useQuery } from '@tanstack/react-query';
import { Braces, List, RefreshCw } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { useEditorContext } from '#components/canvas/editor-context.tsx';
import type { PickerOption, PickerQuery } from '#components/canvas/editor-actions.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Field } from '#components/ui/field.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Select } from '#components/ui/select.tsx';
import { useFieldProblem, usePanel } from './panel-context.tsx';
import { ModeButton, type SettingFieldProps, TextField } from './setting-field.tsx';
import { isVariableText } from './setting-text.ts';

const KINDS: Readonly<Record<string, PickerQuery['kind']>> = {
  app_connection_id: 'connection',
  business_account_id: 'business_account',
  phone_number_id: 'phone_number',
  template_name: 'message_template',
  fallback_template_name: 'message_template',
};

/** What a picker offers; nothing is asked while what it depends on is missing or only known when it runs. */
export function usePickerOptions(kind: PickerQuery['kind'] | undefined) {
  const { actions } = useEditorContext();
  const { task, canEdit } = usePanel();
  const connectionId = knownText(task.settings['app_connection_id']);
  const businessAccountId = knownText(task.settings['business_account_id']);
  const query: PickerQuery | undefined =
    kind === undefined
      ? undefined
      : kind === 'connection'
        ? { kind }
        : { kind, connectionId, ...(kind === 'business_account' ? {} : { businessAccountId }) };
  const isReady = canEdit && query !== undefined && (kind === 'connection' || connectionId !== undefined);
  return useQuery({
    queryKey: ['picker', query],
    enabled: isReady,
    staleTime: 60_000,
    queryFn: async (): Promise<PickerOption[]> => {
      const result = await actions.listOptions(query as PickerQuery);
      if (!result.ok) throw new Error(result.error.message);
      return result.data;
    },
  });
}

const knownText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && !isVariableText(value) ? value : undefined;

/** One of what the platform has, or a variable that says which. */
export function PickerField(props: SettingFieldProps) {
  const { value, field } = props;
  const { task } = usePanel();
  const isNewName = field.name === 'template_name' && task.settings['action'] === 'create_template';
  const [isText, setText] = useState(isVariableText(value));
  if (isNewName || KINDS[field.name] === undefined) return <TextField {...props} />;
  return isText ? (
    <div className="relative">
      <TextField {...props} />
      <div className="absolute top-0 right-8">
        <ModeButton
          label="Choose from the list"
          icon={<List aria-hidden />}
          onClick={() => {
            setText(false);
            if (isVariableText(value)) props.onChange(undefined);
          }}
        />
      </div>
    </div>
  ) : (
    <ListPicker {...props} switchToText={() => setText(true)} />
  );
}

function ListPicker({
  field,
  path,
  value,
  onChange,
  switchToText,
}: SettingFieldProps & { switchToText: () => void }) {
  const { canEdit, task } = usePanel();
  const kind = KINDS[field.name];
  const { data, error, isFetching, refetch, fetchStatus, isPending } = usePickerOptions(kind);
  const problem = useFieldProblem(path);
  const chosen = typeof value === 'string' ? value : '';
  const options = data ?? [];
  const isKnown = options.some((option) => option.value === chosen);
  const needsConnection =
    kind !== 'connection' && knownText(task.settings['app_connection_id']) === undefined;
  const badge = options.find((option) => option.value === chosen)?.badge;
  return (
    <div data-field={path}>
      <Field
        label={field.title}
        help={needsConnection ? 'Choose an app connection first, or use a variable.' : field.description}
        error={error ? error.message : problem}
        aside={
          <span className="flex items-center gap-1">
            {badge && <Badge tone={badge.tone}>{badge.text}</Badge>}
            {canEdit && (
              <>
                <IconButton
                  label="Reload the list"
                  size="sm"
                  className="h-6 w-7"
                  disabled={needsConnection}
                  onClick={() => void refetch()}
                >
                  <RefreshCw aria-hidden className={isFetching ? 'animate-spin' : ''} />
                </IconButton>
                <ModeButton
                  label="Use a variable instead"
                  icon={<Braces aria-hidden />}
                  onClick={switchToText}
                />
              </>
            )}
          </span>
        }
      >
        <Select
          aria-label={field.title}
          value={chosen}
          disabled={!canEdit || (options.length === 0 && chosen === '')}
          placeholder={isPending && fetchStatus === 'fetching' ? 'Loading…' : 'Choose…'}
          onValueChange={onChange}
          options={[
            ...(chosen === '' || isKnown ? [] : [{ value: chosen, label: chosen }]),
            ...dedupe(options).map((option) => ({
              value: option.value,
              label: option.label,
              description: [option.detail, option.badge?.text].filter(Boolean).join(' · '),
            })),
          ]}
        />
      </Field>
      {kind === 'connection' && data?.length === 0 && (
        <div className="mt-2">
          <Callout tone="info">
            There is no connection yet.{' '}
            <Link href="/connections" className="font-medium underline">
              Connect an account
            </Link>
            , then reload the list.
          </Callout>
        </div>
      )}
    </div>
  );
}

/** A template is there once for each language; its name is chosen. */
const dedupe = (options: readonly PickerOption[]): PickerOption[] => [
  ...new Map(options.map((option) => [option.value, option])).values(),
];
