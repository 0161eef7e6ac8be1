'use client';
import { Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { ConfirmDialog } from '#components/ui/overlay/dialog.tsx';
import { EmptyState } from '#components/ui/page.tsx';
import { LoadMore } from '#components/ui/load-more.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#components/ui/table.tsx';
import { showActionError, toast } from '#components/ui/overlay/toaster.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { TrashedWorkflow } from '#lib/workflows/trash/schema.ts';

interface TrashPage {
  data: TrashedWorkflow[];
  next_cursor: string | null;
}

interface TrashActions {
  moreTrash: (input: { cursor: string }) => Promise<ActionResult<TrashPage>>;
  restore: (input: { id: string; activate: boolean }) => Promise<ActionResult<void>>;
  setActive: (input: { id: string; active: boolean; hold: boolean }) => Promise<ActionResult<void>>;
  deletePermanently: (input: { id: string }) => Promise<ActionResult<void>>;
}

export interface TrashListProps {
  first: TrashPage;
  canEdit: boolean;
  actions: TrashActions;
}

/** Deleted workflows, until they are restored or deleted permanently. */
export function TrashList({ first, canEdit, actions }: TrashListProps) {
  const [rows, setRows] = useState(first.data);
  const [cursor, setCursor] = useState(first.next_cursor);
  const [busy, startTransition] = useTransition();
  const router = useRouter();
  const more = () =>
    startTransition(async () => {
      if (cursor === null) return;
      const page = await actions.moreTrash({ cursor });
      if (!page.ok) return showActionError(page.error);
      setRows((before) => [...before, ...page.data.data]);
      setCursor(page.data.next_cursor);
    });
  const leave = (id: string) => setRows((before) => before.filter((row) => row.id !== id));
  const activate = async ({ id, name }: TrashedWorkflow) => {
    const done = await actions.setActive({ id, active: true, hold: false });
    if (done.ok) toast.success(`“${name}” is active`);
    else showActionError(done.error);
  };
  const restore = (row: TrashedWorkflow) =>
    startTransition(async () => {
      const done = await actions.restore({ id: row.id, activate: false });
      if (!done.ok) return showActionError(done.error);
      leave(row.id);
      if (row.published_version === null)
        return void toast.success(`Restored “${row.name}”`, {
          action: { label: 'Open', onClick: () => router.push(`/workflows/${row.id}`) },
        });
      toast.success(`Restored “${row.name}”. It is paused.`, {
        duration: 10_000,
        action: { label: 'Activate', onClick: () => void activate(row) },
      });
    });
  const deletePermanently = async ({ id, name }: TrashedWorkflow) => {
    const done = await actions.deletePermanently({ id });
    if (!done.ok) return showActionError(done.error);
    leave(id);
    toast(`Deleted “${name}” permanently`);
  };
  if (rows.length === 0)
    return (
      <EmptyState
        icon={<Trash2 />}
        title="The trash is empty"
        actions={
          <Link href="/workflows" className={buttonClass({ variant: 'primary' })}>
            Go to Workflows
          </Link>
        }
      >
        Workflows that you delete appear here.
      </EmptyState>
    );
  return (
    <>
      <Table label="Deleted workflows">
        <thead>
          <tr>
            <Th>Name</Th>
            <Th className="max-sm:hidden">Deleted</Th>
            <Th className="max-md:hidden">Deleted permanently</Th>
            {canEdit && (
              <Th>
                <span className="sr-only">Actions</span>
              </Th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Tr key={row.id}>
              <Td className="w-full max-w-0 min-w-32">
                <p className="font-medium max-sm:wrap-anywhere sm:truncate">{row.name}</p>
                <p className="text-sm text-muted">
                  {row.published_version === null ? 'Not published' : `Version ${row.published_version}`}
                  <span className="sm:hidden">
                    {' '}
                    · deleted <RelativeTime at={row.deleted_at} />
                  </span>
                </p>
              </Td>
              <Td className="whitespace-nowrap text-muted max-sm:hidden">
                <RelativeTime at={row.deleted_at} />
              </Td>
              <Td className="whitespace-nowrap text-muted max-md:hidden">
                <RelativeTime at={row.removed_at} />
              </Td>
              {canEdit && (
                <Td>
                  <div className="flex justify-end gap-2 max-sm:flex-col">
                    <Button
                      size="sm"
                      aria-label={`Restore ${row.name}`}
                      disabled={busy}
                      onClick={() => restore(row)}
                    >
                      Restore
                    </Button>
                    <ConfirmDialog
                      trigger={
                        <Button
                          size="sm"
                          variant="ghost"
                          aria-label={`Delete ${row.name} permanently`}
                          className="whitespace-nowrap"
                        >
                          Delete permanently
                        </Button>
                      }
                      title="Delete workflow permanently?"
                      description={`“${row.name}” cannot be restored after this: its draft, URLs and subscriptions are deleted, and runs in progress are cancelled. Its runs and events stay, with its name.`}
                      confirmLabel="Delete permanently"
                      danger
                      onConfirm={() => deletePermanently(row)}
                    />
                  </div>
                </Td>
              )}
            </Tr>
          ))}
        </tbody>
      </Table>
      <LoadMore
        hasMore={cursor !== null}
        loading={busy}
        onLoadMore={more}
        shown={rows.length === 1 ? '1 workflow' : `${rows.length} workflows`}
      />
    </>
  );
}
