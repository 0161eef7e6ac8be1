import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { fetchJson, SignedOutError } from '#components/live/fetch-json.ts';
import type { Autosave } from './autosave.ts';
import type { EditorActions } from '#components/editor/editor-actions.ts';
import type { Editor } from '#components/editor/editor.ts';

const POLL_MS = 6000;

interface RemoteState {
  revision: number;
  publishedVersion: number | null;
  active: boolean;
}

/** Detects that another tab or person has saved or published the draft, while this page is visible. */
export function useRemoteChanges(
  editor: Editor,
  actions: Pick<EditorActions, 'getVersion'>,
  autosave: Autosave | null,
): void {
  const { data, dataUpdatedAt, error } = useQuery({
    queryKey: ['draft-state', editor.workflowId],
    queryFn: ({ signal }) => fetchJson<RemoteState>(`/workflows/${editor.workflowId}/state`, signal),
    refetchInterval: POLL_MS,
    refetchOnWindowFocus: 'always',
    enabled: autosave !== null,
  });
  useEffect(() => {
    if (!data || dataUpdatedAt === 0) return;
    autosave?.noticeSignedIn();
    void autosave?.noticeRevision(data.revision);
    void noticeLive(editor, actions, data);
  }, [actions, autosave, data, dataUpdatedAt, editor]);
  useEffect(() => {
    if (error instanceof SignedOutError) autosave?.noticeSignedOut();
  }, [autosave, error]);
}

async function noticeLive(
  { store, workflowId }: Editor,
  actions: Pick<EditorActions, 'getVersion'>,
  { publishedVersion: version, active }: RemoteState,
): Promise<void> {
  const { live } = store.get();
  if (live.publishedVersion === version) {
    if (live.active !== active) store.set({ live: { ...live, active } });
    return;
  }
  if (version === null) return store.set({ live: { publishedVersion: null, active, publishedGraph: null } });
  const published = await actions.getVersion({ id: workflowId, version }).catch(() => undefined);
  // Published here meanwhile: that is newer than the response.
  if (!published?.ok || store.get().live !== live) return;
  store.set({ live: { publishedVersion: version, active, publishedGraph: published.data } });
}
