import { useQuery } from '@tanstack/react-query';
import type { PickerOption, PickerQuery } from '#lib/screens/editor-types.ts';
import { useEditorContext } from '#components/editor/editor-context.tsx';
import { usePanel } from './panel-context.tsx';
import { isVariableText } from './setting-text.ts';

export type PickerKind = PickerQuery['kind'];

/** What a picker offers; nothing is asked while what it depends on is missing or only known when it runs. */
export function usePickerOptions(kind: PickerKind | undefined) {
  const { actions } = useEditorContext();
  const { task } = usePanel();
  const connectionId = knownText(task.settings['app_connection_id']);
  const businessAccountId = knownText(task.settings['business_account_id']);
  const query: PickerQuery | undefined =
    kind === undefined
      ? undefined
      : kind === 'connection'
        ? { kind }
        : { kind, connectionId, ...(kind === 'business_account' ? {} : { businessAccountId }) };
  const isReady = query !== undefined && (kind === 'connection' || connectionId !== undefined);
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

/** A setting that is there and the same for every run. */
export const knownText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && !isVariableText(value) ? value : undefined;
