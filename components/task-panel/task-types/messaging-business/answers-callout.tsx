'use client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useEditorContext } from '#components/editor/editor-context.tsx';
import { fetchJson } from '#components/live/fetch-json.ts';
import { usePanel } from '#components/task-panel/panel-context.tsx';
import { usePicked } from '#components/task-panel/use-picker-options.ts';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import { TextWithInstants } from '#components/ui/relative-time.tsx';
import type { Check } from '#lib/messaging/connections/schema.ts';

const FRESH_MS = 60_000;

/** Shown while the connection is not subscribed to messages of customers: no answer would arrive. */
export function AnswersCallout({ what = 'Answers' }: { what?: 'Answers' | 'Messages' }) {
  const { actions } = useEditorContext();
  const { canEdit } = usePanel();
  const connectionId = usePicked('connection');
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const queryKey = ['connection-checks', connectionId];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => fetchJson<Check[]>(`/connections/${connectionId}/checks`, signal),
    enabled: connectionId !== undefined,
    staleTime: FRESH_MS,
    retry: false,
  });
  const check = data?.find(({ id }) => id === 'notifications');
  if (connectionId === undefined || !check || check.result === 'ok') return null;
  const subscribe = async () => {
    setBusy(true);
    try {
      const result = await actions.receiveNotifications({ connectionId });
      if (!result.ok) return void toast.error(result.error.message);
      await client.invalidateQueries({ queryKey });
      toast.success(`${what} arrive now.`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Callout
      tone="warning"
      title={check.result === 'failed' ? `${what} do not arrive yet` : `${what} may not arrive`}
    >
      <p>
        <TextWithInstants text={check.what} />
      </p>
      {canEdit && (
        <Button size="sm" className="mt-2" loading={busy} onClick={() => void subscribe()}>
          Receive {what.toLowerCase()}
        </Button>
      )}
    </Callout>
  );
}
