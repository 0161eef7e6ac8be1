'use client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Play, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { fetchJson } from '#components/live/fetch-json.ts';
import { ReadProblem } from '#components/live/read-problem.tsx';
import { useFilters } from '#components/live/use-filters.ts';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { ConfirmDialog } from '#components/ui/overlay/dialog.tsx';
import { showActionError, toast } from '#components/ui/overlay/toaster.tsx';
import { PageHeader } from '#components/ui/page.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { List, ListMapping } from '#lib/lists/schema.ts';
import type { ListPage } from '#lib/screens/list-types.ts';
import type { SendListRow, SendListView } from '#lib/screens/lists/send-list-types.ts';
import { ColumnsCard } from './columns-card.tsx';
import { ForecastCard, PhonesCard, SkippedCard } from './list-plan.tsx';
import { countPeople, countRows, ListStateBadge } from './list-states.tsx';
import { type ListActions, ProgressCard } from './progress-card.tsx';
import { RowsCard } from './rows-card.tsx';

export interface ListScreenProps {
  first: SendListView;
  firstRows: ListPage<SendListRow>;
  countries: readonly { value: string; label: string }[];
  /** The same file was uploaded again: this is its list. */
  isKnown: boolean;
  /** Null for viewers. */
  actions: ListScreenActions | null;
}

export interface ListScreenActions extends ListActions {
  changeMapping: (input: { id: string; mapping: ListMapping }) => Promise<ActionResult<unknown>>;
  start: (input: { id: string }) => Promise<ActionResult<unknown>>;
  remove: (input: { id: string }) => Promise<ActionResult<unknown>>;
}

/** Often enough to see the effect of a button. */
const POLL_MS = 1500;

/** One list: before its start what it would do, afterwards what it did. */
export function ListScreen({ first, firstRows, countries, isKnown, actions }: ListScreenProps) {
  const path = `/workflows/${first.list.workflow_id}/lists/${first.list.id}`;
  const filters = useFilters();
  const {
    data: view,
    error,
    refetch,
  } = useQuery({
    queryKey: ['send-list', first.list.id],
    queryFn: ({ signal }) => fetchJson<SendListView>(`${path}/live`, signal),
    initialData: first,
    refetchInterval: ({ state }) => (isChanging(state.data?.list) ? POLL_MS : false),
  });
  const { list, plan, workflowName } = view;
  const refresh = () => void refetch();
  const showRows = (state: string) => {
    filters.set({ state });
    document.getElementById('rows')?.scrollIntoView();
  };
  return (
    <>
      <PageHeader
        back={{ href: `/workflows/${list.workflow_id}/lists`, label: `Lists of “${workflowName}”` }}
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0 break-words">{list.name}</span>
            <ListStateBadge state={list.state} />
          </span>
        }
        description={
          <>
            {countRows(list.row_count)}, uploaded <RelativeTime at={list.created_at} />
          </>
        }
        actions={actions && <ListButtons view={view} actions={actions} refresh={refresh} />}
      />
      <div className="flex flex-col gap-6">
        {isKnown && (
          <Callout tone="info" title="This file was uploaded before">
            This is its list. Nothing was added, and nobody gets a message twice.
          </Callout>
        )}
        {error && <ReadProblem error={error} retry={refresh} />}
        {list.problem !== null && (
          <Callout tone="warning" live title="Paused">
            {list.problem}
          </Callout>
        )}
        {list.state === 'checking' && <Checking list={list} />}
        {plan ? (
          <>
            <Setup view={view} countries={countries} actions={actions} refresh={refresh} />
            {list.state === 'ready' && <PhonesCard phones={plan.phones} />}
          </>
        ) : (
          <ProgressCard
            list={list}
            endsAt={view.endsAt}
            actions={actions}
            refresh={refresh}
            onChoose={showRows}
          />
        )}
        <SkippedCard skipped={view.skipped} onShow={() => showRows('skipped')} />
        {plan && list.state === 'ready' && <ForecastCard plan={plan} endsAt={view.endsAt} />}
        <RowsCard path={path} firstPage={firstRows} />
      </div>
    </>
  );
}

const isChanging = (list: List | undefined): boolean =>
  list !== undefined && (list.state === 'checking' || list.state === 'running' || list.counts.running > 0);

/** How many rows are checked. */
const Checking = ({ list: { checked_rows: checked, row_count: rows } }: { list: List }) => (
  <div role="status">
    <p className="text-muted tabular-nums">
      Checking the rows: {checked.toLocaleString('en')} of {rows.toLocaleString('en')}
    </p>
    <progress
      aria-label="Checked rows"
      value={checked}
      max={rows}
      className="mt-1.5 block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
    />
  </div>
);

interface SetupProps extends Pick<ListScreenProps, 'countries' | 'actions'> {
  view: SendListView;
  refresh: () => void;
}

/** The mapping, which is saved with each change: the rows are checked again by it. */
function Setup({ view: { list, columns, unfilled }, countries, actions, refresh }: SetupProps) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const change = async (mapping: ListMapping) => {
    if (!actions) return;
    setBusy(true);
    // Otherwise a reading from before the change would show the old mapping again.
    await queries.cancelQueries({ queryKey: ['send-list', list.id] });
    const saved = await actions.changeMapping({ id: list.id, mapping });
    setBusy(false);
    setProblems(
      saved.ok
        ? {}
        : Object.fromEntries(
            saved.error.problems.map(({ path, message }) => [path.replace(/^mapping\./, ''), message]),
          ),
    );
    if (!saved.ok && saved.error.problems.length === 0) showActionError(saved.error);
    refresh();
  };
  return (
    <ColumnsCard
      columns={columns}
      unfilled={unfilled}
      mapping={list.mapping}
      countries={countries}
      problems={problems}
      busy={busy || list.state === 'checking'}
      change={actions ? (mapping) => void change(mapping) : undefined}
    />
  );
}

interface ListButtonsProps {
  view: SendListView;
  actions: ListScreenActions;
  refresh: () => void;
}

/** Starts a list that was checked; deletes one that is not running. */
function ListButtons({ view: { list, plan, workflowName }, actions, refresh }: ListButtonsProps) {
  const router = useRouter();
  const start = async () => {
    const started = await actions.start({ id: list.id });
    refresh();
    if (started.ok) toast.success('List started');
    else showActionError(started.error);
  };
  const remove = async () => {
    const removed = await actions.remove({ id: list.id });
    if (!removed.ok) return showActionError(removed.error);
    toast.success(`Deleted “${list.name}”`);
    router.push(`/workflows/${list.workflow_id}/lists`);
  };
  const people = plan?.people ?? 0;
  return (
    <>
      {list.state !== 'running' && list.state !== 'paused' && (
        <ConfirmDialog
          title="Delete list?"
          description="The file and its rows are deleted. Runs and messages that it started stay. The same file can then be uploaded as a new list."
          confirmLabel="Delete list"
          danger
          trigger={
            <Button variant="ghost" icon={<Trash2 aria-hidden />}>
              Delete
            </Button>
          }
          onConfirm={remove}
        />
      )}
      {plan && (
        <ConfirmDialog
          title="Start list?"
          description={`${countPeople(people)} will get messages from “${workflowName}”, at the pace of the number. You can pause or stop the list at any time.`}
          confirmLabel={`Send to ${countPeople(people)}`}
          trigger={
            <Button
              variant="primary"
              icon={<Play aria-hidden />}
              disabled={list.state !== 'ready' || people === 0}
            >
              Start
            </Button>
          }
          onConfirm={start}
        />
      )}
    </>
  );
}
