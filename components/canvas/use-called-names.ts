import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';
import type { PickerOption } from '#lib/screens/editor-types.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';

/** Names of the workflows that tasks of the draft call, by id: loaded once there is one. */
export function useCalledNames(): ReadonlyMap<string, string> {
  const { actions } = useEditorContext();
  const hasCalls = useEditorState(({ history }) =>
    history.present.tasks.some(({ type, settings }) => findTaskKind(type)?.calls?.(settings) !== undefined),
  );
  const query = { kind: 'workflow' as const };
  const { data } = useQuery({
    queryKey: ['picker', query],
    enabled: hasCalls,
    staleTime: 60_000,
    queryFn: async (): Promise<PickerOption[]> => {
      const result = await actions.listOptions(query);
      if (!result.ok) throw new Error(result.error.message);
      return result.data;
    },
  });
  return useMemo(() => new Map(data?.map(({ value, label }) => [value, label])), [data]);
}
