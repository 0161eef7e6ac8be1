import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Autosave } from './autosave.ts';
import type { Editor } from './editor.ts';

const POLL_MS = 6000;

/** Notices that another tab or person saved the draft or published it, while this one is looked at. */
export function useRemoteChanges(editor: Editor, autosave: Autosave | null): void {
  const { data } = useQuery({
    queryKey: ['draft-state', editor.workflowId],
    queryFn: async ({ signal }) => {
      const response = await fetch(`/workflows/${editor.workflowId}/state`, { signal });
      if (!response.ok) throw new Error('The state of the draft could not be read.');
      return (await response.json()) as {
        revision: number;
        publishedVersion: number | null;
        active: boolean;
      };
    },
    refetchInterval: POLL_MS,
    refetchOnWindowFocus: 'always',
    enabled: autosave !== null,
  });
  useEffect(() => {
    if (data) void autosave?.noticeRevision(data.revision);
  }, [autosave, data]);
}
