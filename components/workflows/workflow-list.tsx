'use client';
import { useRouter } from 'next/navigation';
import { Suspense, useEffect, useOptimistic, useState, useTransition } from 'react';
import { showActionError } from '#components/shell/show-action-error.ts';
import { SearchInput } from '#components/ui/search-input.tsx';
import { onDemand } from '#components/ui/on-demand.tsx';
import { Select } from '#components/ui/select.tsx';
import { Table, Th } from '#components/ui/table.tsx';
import { toast } from '#components/ui/toaster.tsx';
import type { WorkflowRow } from '#lib/workflows/row-schema.ts';
import { findRows, listTags, SORT_LABELS, SORT_ORDERS, type SortOrder } from './sort-rows.ts';
import { useFoundWorkflows } from './use-found-workflows.ts';
import type { WorkflowActions } from './workflow-actions-types.ts';
import { WorkflowTableRow } from './workflow-table-row.tsx';

const NothingFound = onDemand(async () => (await import('./nothing-found.tsx')).NothingFound);

const TagsDialog = onDemand(async () => (await import('./tags-dialog.tsx')).TagsDialog);

/** No tag: a comma cannot be in one. */
const ANY_TAG = ',';
const REFRESH_MS = 20_000;

type Change =
  { id: string; set: Partial<Pick<WorkflowRow, 'name' | 'active'>> } | { id: string; removed: true };

const applyChange = (rows: readonly WorkflowRow[], change: Change): readonly WorkflowRow[] =>
  'removed' in change
    ? rows.filter(({ id }) => id !== change.id)
    : rows.map((row) => (row.id === change.id ? { ...row, ...change.set } : row));

export interface WorkflowListProps {
  rows: readonly WorkflowRow[];
  canEdit: boolean;
  actions: WorkflowActions;
}

/** The workflows with search and order; changes show at once and are taken back when they fail. */
export function WorkflowList({ rows, canEdit, actions }: WorkflowListProps) {
  const [search, setSearch] = useState('');
  const [tag, setTag] = useState('');
  const [tagging, setTagging] = useState<WorkflowRow>();
  const found = useFoundWorkflows(search, actions.search);
  const [order, setOrder] = useState<SortOrder>('changed');
  const [shown, change] = useOptimistic(rows, applyChange);
  const [, startTransition] = useTransition();
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') router.refresh();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [router]);

  const attempt = (optimistic: Change | null, work: () => Promise<void>) =>
    startTransition(async () => {
      if (optimistic) change(optimistic);
      await work();
    });

  const handlers = {
    onRename: (row: WorkflowRow, name: string) =>
      attempt({ id: row.id, set: { name } }, async () => {
        const done = await actions.rename({ id: row.id, name });
        if (!done.ok) showActionError(done.error);
      }),
    onSetActive: (row: WorkflowRow, active: boolean) =>
      attempt({ id: row.id, set: { active } }, async () => {
        const done = await actions.setActive({ id: row.id, active });
        if (!done.ok) showActionError(done.error);
      }),
    onEditTags: setTagging,
    onDuplicate: (row: WorkflowRow) =>
      attempt(null, async () => {
        const copy = await actions.duplicate({ id: row.id });
        if (!copy.ok) return showActionError(copy.error);
        const { id, name } = copy.data;
        toast.success(`Created “${name}”`, {
          action: { label: 'Open', onClick: () => router.push(`/workflows/${id}`) },
        });
      }),
    onExport: (row: WorkflowRow) =>
      attempt(null, async () => {
        const file = await actions.exportJson({ id: row.id });
        if (!file.ok) return showActionError(file.error);
        const { downloadText } = await import('./download-text.ts');
        downloadText(file.data.name, 'json', file.data.json);
      }),
    onRemove: (row: WorkflowRow) =>
      attempt({ id: row.id, removed: true }, async () => {
        const removed = await actions.remove({ id: row.id });
        if (!removed.ok) return showActionError(removed.error);
        toast(`Deleted “${row.name}”`, {
          duration: 10_000,
          action: { label: 'Undo', onClick: () => handlers.onRestore(row) },
        });
      }),
    onRestore: (row: WorkflowRow) =>
      attempt(null, async () => {
        const restored = await actions.restore({ id: row.id });
        if (!restored.ok) return showActionError(restored.error);
        toast.success(`Restored “${row.name}”`);
      }),
  };

  const allTags = listTags(shown);
  const chosenTag = allTags.includes(tag) ? tag : '';
  const filter = { search, tag: chosenTag, foundIds: new Set(found.keys()) };
  const listed = findRows(shown, filter, order);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <div className="w-full sm:w-72">
          <SearchInput
            label="Search workflows, tasks and URLs"
            placeholder="Name, task or URL"
            value={search}
            onChange={setSearch}
          />
        </div>
        <div className="flex flex-wrap items-center gap-2 text-sm text-muted max-sm:w-full">
          {allTags.length > 0 && (
            <Select
              aria-label="Tag"
              options={[
                { value: ANY_TAG, label: 'All tags' },
                ...allTags.map((value) => ({ value, label: value })),
              ]}
              value={chosenTag === '' ? ANY_TAG : chosenTag}
              onValueChange={(value) => setTag(value === ANY_TAG ? '' : value)}
              className="sm:w-40"
            />
          )}
          <span aria-hidden className="whitespace-nowrap">
            Sort by
          </span>
          <Select
            aria-label="Sort by"
            options={SORT_ORDERS.map((value) => ({ value, label: SORT_LABELS[value] }))}
            value={order}
            onValueChange={setOrder}
            className="sm:w-40"
          />
        </div>
      </div>
      <p role="status" className="sr-only">
        {search || chosenTag ? `${listed.length} of ${shown.length} workflows` : ''}
      </p>
      {listed.length === 0 ? (
        <Suspense>
          <NothingFound
            count={shown.length}
            clear={() => {
              setSearch('');
              setTag('');
            }}
          />
        </Suspense>
      ) : (
        <Table label="Workflows">
          <thead>
            <tr>
              <Th>Name</Th>
              <Th className="max-sm:hidden">State</Th>
              <Th className="max-md:hidden">Last run</Th>
              <Th className="text-right max-md:hidden">Runs today</Th>
              <Th>Active</Th>
              <Th>
                <span className="sr-only">Actions</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {listed.map((row) => (
              <WorkflowTableRow
                key={row.id}
                row={row}
                canEdit={canEdit}
                onChooseTag={setTag}
                foundBy={found.get(row.id)}
                {...handlers}
              />
            ))}
          </tbody>
        </Table>
      )}
      {tagging && (
        <Suspense>
          <TagsDialog
            row={tagging}
            known={allTags}
            save={(tags) => actions.setTags({ id: tagging.id, tags })}
            close={() => setTagging(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}
