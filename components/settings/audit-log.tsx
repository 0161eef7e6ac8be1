'use client';
import { useState, useTransition } from 'react';
import { showActionError } from '#components/shell/show-action-error.ts';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { LoadMore } from '#components/ui/load-more.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#components/ui/table.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { AuditEntry } from '#lib/identity/audit/audit-entry.ts';
import { describeAction } from './describe-action.ts';

interface AuditPage {
  data: AuditEntry[];
  next_cursor: string | null;
}

export interface AuditLogProps {
  first: AuditPage;
  loadMore: (input: { cursor: string }) => Promise<ActionResult<AuditPage>>;
}

/** Who did what when. */
export function AuditLog({ first, loadMore }: AuditLogProps) {
  const [entries, setEntries] = useState(first.data);
  const [cursor, setCursor] = useState(first.next_cursor);
  const [busy, startTransition] = useTransition();
  const more = () =>
    startTransition(async () => {
      if (cursor === null) return;
      const page = await loadMore({ cursor });
      if (!page.ok) return showActionError(page.error);
      setEntries((before) => [...before, ...page.data.data]);
      setCursor(page.data.next_cursor);
    });
  if (entries.length === 0) {
    return <EmptyState title="No entries yet">Shows who changed what, and when.</EmptyState>;
  }
  return (
    <>
      <Table label="Audit log">
        <thead>
          <tr>
            <Th>When</Th>
            <Th className="max-sm:hidden">Who</Th>
            <Th>What</Th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ id, at, actorName, action, targetName }) => (
            <Tr key={id}>
              <Td className="align-top text-muted">
                <RelativeTime at={at} />
              </Td>
              <Td className="max-w-48 align-top max-sm:hidden">{actorName}</Td>
              <Td className="w-full wrap-anywhere">
                {describeAction(action)}
                {targetName && <span className="text-muted"> · {targetName}</span>}
                <div className="text-sm text-muted sm:hidden">{actorName}</div>
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      <LoadMore
        hasMore={cursor !== null}
        loading={busy}
        onLoadMore={more}
        shown={`${entries.length} entries`}
      />
    </>
  );
}
