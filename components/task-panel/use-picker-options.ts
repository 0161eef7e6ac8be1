import { useQuery } from '@tanstack/react-query';
import type { PickerOption, PickerQuery } from '#lib/screens/editor-types.ts';
import { useEditorContext } from '#components/editor/editor-context.tsx';
import { findPickedFrom } from '#lib/editor/canvas/form-fields.ts';
import type { PickSource } from '#lib/tasks/task-definition.ts';
import { usePanel } from './panel-context.tsx';
import { isVariableText } from './setting-text.ts';

/** A picker's options; nothing is loaded while a dependency is missing or is a variable. */
export function usePickerOptions(kind: PickSource | undefined) {
  const { actions } = useEditorContext();
  const connectionId = usePicked('connection');
  const businessAccountId = usePicked('business_account');
  const query: PickerQuery | undefined =
    kind === undefined
      ? undefined
      : kind === 'connection' || kind === 'workflow'
        ? { kind }
        : { kind, connectionId, ...(kind === 'business_account' ? {} : { businessAccountId }) };
  const isReady = query !== undefined && (!('connectionId' in query) || connectionId !== undefined);
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

/** The open task's pick from a source, if it is constant. */
export function usePicked(source: PickSource): string | undefined {
  const { task, fields } = usePanel();
  const name = findPickedFrom(fields, source);
  return name === undefined ? undefined : knownText(task.settings[name]);
}

/** A setting that is present and constant. */
const knownText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && !isVariableText(value) ? value : undefined;
