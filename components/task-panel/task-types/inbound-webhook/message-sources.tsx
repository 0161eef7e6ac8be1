'use client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { useEditorContext } from '#components/editor/editor-context.tsx';
import { fetchJson } from '#components/live/fetch-json.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/toaster.tsx';
import type { MessageSource } from '#lib/messaging/connections/message-source-types.ts';

const queryKey = (workflowId: string) => ['message-sources', workflowId];

/** The connections whose customers start the workflow by writing. */
export function MessageSources() {
  const { editor } = useEditorContext();
  const { data: sources } = useQuery({
    queryKey: queryKey(editor.workflowId),
    queryFn: ({ signal }) =>
      fetchJson<MessageSource[]>(`/workflows/${editor.workflowId}/message-sources`, signal),
    staleTime: 30_000,
  });
  if (!sources) return null;
  return (
    <section aria-labelledby="message-sources">
      <h2 id="message-sources" className="text-sm font-medium">
        Incoming messages
      </h2>
      <p className="mt-1 text-sm text-muted">
        {sources.length > 0
          ? 'Subscribe to a connection to run this workflow when a customer writes to one of its numbers.'
          : 'To run this workflow when a customer writes to you, first connect an account.'}
      </p>
      {sources.length === 0 && (
        <Link href="/connections" className="text-sm text-accent underline hover:no-underline">
          Open connections
        </Link>
      )}
      <ul className="mt-1.5 flex flex-col gap-1">
        {sources.map((source) => (
          <Source key={source.id} source={source} />
        ))}
      </ul>
    </section>
  );
}

function Source({ source: { id, name, isSubscribed } }: { source: MessageSource }) {
  const { editor, actions } = useEditorContext();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const subscribe = async () => {
    setBusy(true);
    const result = await actions.subscribeToMessages({ id: editor.workflowId, connectionId: id });
    await client.invalidateQueries({ queryKey: queryKey(editor.workflowId) });
    setBusy(false);
    if (result.ok) toast.success(`Subscribed to messages of ${name}.`);
    else toast.error(result.error.message);
  };
  return (
    <li className="flex min-h-8 items-center justify-between gap-2 text-sm">
      <Link href={`/connections/${id}`} className="min-w-0 truncate underline hover:no-underline">
        {name}
      </Link>
      {isSubscribed ? (
        <Badge tone="success">Subscribed</Badge>
      ) : (
        editor.canEdit && (
          <Button
            size="sm"
            loading={busy}
            onClick={() => void subscribe()}
            aria-label={`Subscribe to ${name}`}
          >
            Subscribe
          </Button>
        )
      )}
    </li>
  );
}
