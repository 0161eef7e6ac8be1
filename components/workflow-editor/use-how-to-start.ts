import { useQuery } from '@tanstack/react-query';
import { useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';
import { findTrigger } from '#lib/editor/canvas/document.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';

/** What starts the workflow, according to its draft, in a sentence; undefined where requests do. */
export function useHowToStart(): string | undefined {
  const { actions } = useEditorContext();
  const trigger = useEditorState(({ history }) => findTrigger(history.present));
  const kind = trigger && findTaskKind(trigger.type);
  const start = trigger && kind?.messageStart?.(trigger.settings);
  const query = { kind: 'phone_number' as const, connectionId: start?.connectionId ?? '' };
  const { data } = useQuery({
    queryKey: ['picker', query],
    enabled: Boolean(start),
    staleTime: 60_000,
    queryFn: async () => {
      const result = await actions.listOptions(query);
      if (!result.ok) throw new Error(result.error.message);
      return result.data;
    },
  });
  if (!start) return kind?.trigger?.startedBy === 'requests' ? undefined : kind?.trigger?.whenPublished;
  const numbers = (data ?? []).filter(
    ({ value }) => start.phoneNumberId === null || value === start.phoneNumberId,
  );
  const [only] = numbers;
  const number = numbers.length === 1 && only ? only.label : 'a number of the connection';
  const [word] = start.words;
  return word === undefined ? `Write to ${number} to start it.` : `Write “${word}” to ${number} to start it.`;
}
