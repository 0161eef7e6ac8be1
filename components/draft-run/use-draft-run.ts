import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useEditor } from '#components/editor/editor-context.tsx';
import { fetchJson } from '#components/live/fetch-json.ts';
import { toOverlay } from '#components/runs/to-overlay.ts';
import { isOpenRun } from '#lib/engine/run-statuses.ts';
import type { RunView } from '#lib/screens/run-types.ts';

const BUSY_POLL_MS = 500;
const WAITING_POLL_MS = 2000;

/** Polls a run of the draft, and shows each task's status on its card. */
export function useDraftRun(runId: string) {
  const editor = useEditor();
  const query = useQuery({
    queryKey: ['run', runId, 'draft'],
    queryFn: ({ signal }) => fetchJson<RunView>(`/runs/${runId}/live`, signal),
    refetchInterval: ({ state: { data } }) => {
      if (data && !isOpenRun(data.run.status)) return false;
      return data?.run.status === 'waiting' ? WAITING_POLL_MS : BUSY_POLL_MS;
    },
  });
  const { data } = query;
  useEffect(() => {
    const { draftRun } = editor.state;
    if (!data || draftRun?.runId !== runId) return;
    editor.store.set({ draftRun: { ...draftRun, statuses: toOverlay(data.tasks) } });
  }, [editor, runId, data]);
  return query;
}
