'use client';
import { useRouter } from 'next/navigation';
import { Suspense, useOptimistic, useState, useTransition } from 'react';
import { ReadProblem } from '#components/live/read-problem.tsx';
import { LoadMore } from '#components/ui/load-more.tsx';
import { SearchInput } from '#components/ui/form/input.tsx';
import { onDemand } from '#components/ui/on-demand.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { Table, Th } from '#components/ui/table.tsx';
import { showActionError, toast } from '#components/ui/overlay/toaster.tsx';
import type { WorkflowPage, WorkflowRow } from '#lib/workflows/row-schema.ts';
import type { SortOrder } from '#lib/workflows/sort-workflows.ts';
import { useWorkflowPages } from './use-workflow-pages.ts';
import type { WorkflowActions } from './workflow-actions-types.ts';
import { WorkflowTableRow } from './workflow-table-row.tsx';

const NothingFound = onDemand(async () => (await import('./nothing-found.tsx')).NothingFound);

const DeleteDialog = onDemand(async () => (await import('./delete-dialog.tsx')).DeleteDialog);
const PauseDialog = onDemand(async () => (await import('./pause-dialog.tsx')).PauseDialog);
const TagsDialog = onDemand(async () => (await import('./tags-dialog.tsx')).TagsDialog);

/** Represents "any tag": tags cannot contain a comma. */
const ANY_TAG = ',';

const SORT_LABELS: Readonly<Record<SortOrder, string>> = {
  changed: 'Last changed',
  name: 'Name',
  last_run: 'Last run',
  runs_today: 'Runs today',
};
const SORT_OPTIONS = (['changed', 'name', 'last_run', 'runs_today'] as const).map((value) => ({
  value,
  label: SORT_LABELS[value],
}));

type Change =
  | { id: string; set: Partial<Pick<WorkflowRow, 'name' | 'active'>> }
  | { id: string; removed: true };

const applyChange = (rows: readonly WorkflowRow[], change: Change): readonly WorkflowRow[] =>
  'removed' in change
    ? rows.filter(({ id }) => id !== change.id)
    : rows.map((row) => (row.id === change.id ? { ...row, ...change.set } : row));

export interface WorkflowListProps {
  /** Without search and tag, in the default order. */
  firstPage: WorkflowPage;
  canEdit: boolean;
  actions: WorkflowActions;
}

/** The list of workflows with search and order, loaded on scroll; changes are optimistic. */
export function WorkflowList({ firstPage, canEdit, actions }: WorkflowListProps) {
  const [search, setSearch] = useState('');
  const [tag, setTag] = useState('');
  const [removing, setRemoving] = useState<WorkflowRow>();
  const [pausing, setPausing] = useState<WorkflowRow>();
  const [tagging, setTagging] = useState<WorkflowRow>();
  const [order, setOrder] = useState<SortOrder>('changed');
  const list = useWorkflowPages(firstPage, { text: search, tag, order });
  const [shown, change] = useOptimistic(list.rows, applyChange);
  const [, startTransition] = useTransition();
  const router = useRouter();

  const attempt = (optimistic: Change | null, work: () => Promise<void>) =>
    startTransition(async () => {
      if (optimistic) change(optimistic);
      await work();
      await list.refresh();
    });

  const setActive = (row: WorkflowRow, { active, hold }: { active: boolean; hold: boolean }) =>
    attempt({ id: row.id, set: { active } }, async () => {
      const done = await actions.setActive({ id: row.id, active, hold });
      if (!done.ok) showActionError(done.error);
    });
  const handlers = {
    onRename: (row: WorkflowRow, name: string) =>
      attempt({ id: row.id, set: { name } }, async () => {
        const done = await actions.rename({ id: row.id, name });
        if (!done.ok) showActionError(done.error);
      }),
    onSetActive: (row: WorkflowRow, active: boolean) =>
      active ? setActive(row, { active, hold: false }) : setPausing(row),
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
    onRemove: setRemoving,
  };
  const remove = (row: WorkflowRow, cancelsRuns: boolean) =>
    attempt({ id: row.id, removed: true }, async () => {
      const removed = await actions.remove({ id: row.id, cancel_runs: cancelsRuns });
      if (!removed.ok) return showActionError(removed.error);
      toast(`Moved “${row.name}” to the trash`, {
        duration: 10_000,
        action: { label: 'Undo', onClick: () => restore(row) },
      });
    });
  const restore = (row: WorkflowRow) =>
    attempt(null, async () => {
      const restored = await actions.restore({ id: row.id, activate: row.active });
      if (!restored.ok) return showActionError(restored.error);
      toast.success(`Restored “${row.name}”`);
    });

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
          {list.tags.length > 0 && (
            <Select
              aria-label="Tag"
              options={[
                { value: ANY_TAG, label: 'All tags' },
                ...list.tags.map((value) => ({ value, label: value })),
              ]}
              value={tag === '' ? ANY_TAG : tag}
              onValueChange={(value) => setTag(value === ANY_TAG ? '' : value)}
              className="sm:w-40"
            />
          )}
          <span aria-hidden className="whitespace-nowrap">
            Sort by
          </span>
          <Select
            aria-label="Sort by"
            options={SORT_OPTIONS}
            value={order}
            onValueChange={setOrder}
            className="sm:w-40"
          />
        </div>
      </div>
      <p role="status" className="sr-only">
        {search || tag ? `${list.matching} of ${list.total} workflows` : ''}
      </p>
      {list.error && (
        <div className="mb-4">
          <ReadProblem error={list.error} retry={() => void list.refresh()} />
        </div>
      )}
      {shown.length === 0 && !list.isChanging ? (
        <Suspense>
          <NothingFound
            count={list.total}
            clear={() => {
              setSearch('');
              setTag('');
            }}
          />
        </Suspense>
      ) : (
        // Prevents clicks on rows that are about to move.
        <div
          aria-busy={list.isChanging}
          className={list.isChanging ? 'pointer-events-none opacity-60 transition-opacity' : ''}
        >
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
              {shown.map((row) => (
                <WorkflowTableRow
                  key={row.id}
                  row={row}
                  canEdit={canEdit}
                  onChooseTag={setTag}
                  {...handlers}
                />
              ))}
            </tbody>
          </Table>
          <LoadMore
            isAutomatic={list.error === null}
            hasMore={list.hasMore}
            loading={list.isLoadingMore}
            onLoadMore={() => void list.loadMore()}
            shown={countOf(shown.length, list.matching)}
          />
        </div>
      )}
      {removing && (
        <Suspense>
          <DeleteDialog
            row={removing}
            preview={() => actions.previewDeletion({ id: removing.id })}
            remove={(cancelsRuns) => remove(removing, cancelsRuns)}
            close={() => setRemoving(undefined)}
          />
        </Suspense>
      )}
      {pausing && (
        <Suspense>
          <PauseDialog
            name={pausing.name}
            pause={async (hold) => void setActive(pausing, { active: false, hold })}
            close={() => setPausing(undefined)}
          />
        </Suspense>
      )}
      {tagging && (
        <Suspense>
          <TagsDialog
            row={tagging}
            known={list.tags}
            save={async (tags) => {
              const saved = await actions.setTags({ id: tagging.id, tags });
              if (saved.ok) void list.refresh();
              return saved;
            }}
            close={() => setTagging(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}

/** "50 of 700 workflows", or where all of them are shown, "3 workflows". */
const countOf = (shown: number, matching: number): string => {
  const noun = matching === 1 ? 'workflow' : 'workflows';
  return shown < matching ? `${shown} of ${matching} ${noun}` : `${matching} ${noun}`;
};
