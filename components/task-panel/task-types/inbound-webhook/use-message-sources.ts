import { useQuery } from '@tanstack/react-query';
import { useEditor } from '#components/editor/editor-context.tsx';
import { fetchJson } from '#components/live/fetch-json.ts';
import type { MessageSource } from '#lib/messaging/connections/message-source-types.ts';

export const messageSourcesKey = (workflowId: string) => ['message-sources', workflowId];

/** The workspace's connections, each with the messages that start the workflow; undefined while they are loaded. */
export function useMessageSources(): readonly MessageSource[] | undefined {
  const { workflowId } = useEditor();
  return useQuery({
    queryKey: messageSourcesKey(workflowId),
    queryFn: ({ signal }) => fetchJson<MessageSource[]>(`/workflows/${workflowId}/message-sources`, signal),
    staleTime: 30_000,
  }).data;
}
