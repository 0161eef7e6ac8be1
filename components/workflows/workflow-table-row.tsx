'use client';
import { EllipsisVertical } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Badge, Status, type Tone } from '#components/ui/badge.tsx';
import { Switch } from '#components/ui/form/checkbox.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Link } from '#components/ui/link.tsx';
import { onDemand } from '#components/ui/on-demand.tsx';
import { DropdownMenu } from '#components/ui/overlay/dropdown-menu.tsx';
import { Deadline, RelativeTime } from '#components/ui/relative-time.tsx';
import { Td, Tr } from '#components/ui/table.tsx';
import type { RunStatus } from '#lib/engine/run-types.ts';
import { type FoundWorkflow, MAX_RUNS_COUNTED, type WorkflowRow } from '#lib/workflows/row-schema.ts';
import type { RowActionsProps } from './row-actions.tsx';
import { BrokenNote, FailuresNote } from './row-notes.tsx';
import { SilenceBadge } from './silence-badge.tsx';

const RenameInput = onDemand(async () => (await import('./row-actions.tsx')).RenameInput);
const RowActions = onDemand(async () => (await import('./row-actions.tsx')).RowActions);

export interface WorkflowTableRowProps extends Omit<RowActionsProps, 'onStartRename'> {
  onRename: (row: WorkflowRow, name: string) => void;
  onSetActive: (row: WorkflowRow, active: boolean) => void;
  /** Shows only the workflows with this tag. */
  onChooseTag: (tag: string) => void;
}

export function WorkflowTableRow({
  row,
  canEdit,
  onRename,
  onSetActive,
  onChooseTag,
  ...on
}: WorkflowTableRowProps) {
  const [renaming, setRenaming] = useState(false);
  const state = stateOf(row);
  const badge = (
    <span title={state.hint}>
      <Badge tone={state.tone}>{state.label}</Badge>
    </span>
  );
  const rename = (name: string | null) => {
    setRenaming(false);
    if (name !== null && name !== row.name) onRename(row, name);
  };
  return (
    <Tr>
      <Td className="w-full max-w-0 min-w-40">
        {renaming ? (
          <Suspense fallback={row.name}>
            <RenameInput name={row.name} onDone={rename} />
          </Suspense>
        ) : (
          <Link
            href={`/workflows/${row.id}`}
            className="block truncate rounded-sm font-medium hover:text-accent hover:underline"
            onKeyDown={(event) => {
              if (event.key !== 'F2' || !canEdit) return;
              event.preventDefault();
              setRenaming(true);
            }}
          >
            {row.name}
          </Link>
        )}
        <div className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
          <span className="sm:hidden">{badge}</span>
          <span>{row.taskCount === 1 ? '1 task' : `${row.taskCount} tasks`}</span>
          <span aria-hidden className="max-sm:hidden">
            ·
          </span>
          <span>
            changed <RelativeTime at={row.updatedAt} />
          </span>
          {row.tags.map((tag) => (
            <button
              key={tag}
              type="button"
              title={`Show workflows tagged “${tag}”`}
              onClick={() => onChooseTag(tag)}
              className="rounded-sm bg-hover px-1.5 text-xs/5 text-ink hover:bg-accent-soft hover:text-accent"
            >
              {tag}
            </button>
          ))}
          {row.nextStartAt && row.active && (
            <span>
              Next start: <Deadline at={row.nextStartAt} />
            </span>
          )}
          {row.silence && row.active && <SilenceBadge silence={row.silence} />}
        </div>
        {row.broken && <BrokenNote workflowId={row.id} broken={row.broken} />}
        {row.foundBy && <FoundBy {...row.foundBy} />}
        {row.failures && <FailuresNote workflowId={row.id} failures={row.failures} />}
      </Td>
      <Td className="max-sm:hidden">{badge}</Td>
      <Td className="max-md:hidden">
        <LastRun run={row.lastRun} />
      </Td>
      <Td className="text-right tabular-nums max-md:hidden">
        {row.runsToday >= MAX_RUNS_COUNTED ? `${MAX_RUNS_COUNTED.toLocaleString('en')}+` : row.runsToday}
      </Td>
      <Td>
        <Switch
          label={`${row.name} is active`}
          hideLabel
          checked={row.active && row.publishedVersion !== null}
          disabled={!canEdit || row.publishedVersion === null}
          title={row.publishedVersion === null ? 'Publish the workflow to activate it' : ''}
          onCheckedChange={(active) => onSetActive(row, active)}
        />
      </Td>
      <Td className="pl-0">
        <DropdownMenu
          trigger={
            <IconButton label={`Actions for ${row.name}`} size="sm">
              <EllipsisVertical aria-hidden />
            </IconButton>
          }
        >
          <RowActions row={row} canEdit={canEdit} onStartRename={() => setRenaming(true)} {...on} />
        </DropdownMenu>
      </Td>
    </Tr>
  );
}

const FoundBy = ({ tasks, isItsUrl }: FoundWorkflow) => (
  <p className="mt-0.5 truncate text-sm text-muted">
    {isItsUrl ? 'This is its webhook URL' : `Tasks: ${tasks.join(', ')}`}
  </p>
);

function LastRun({ run }: { run: WorkflowRow['lastRun'] }) {
  if (!run) return <span className="text-muted">Never</span>;
  const { label, tone, live = false } = RUN_STATUS[run.status];
  return (
    <Link href={`/runs/${run.id}`} className="group inline-flex flex-col rounded-sm">
      <Status tone={tone} live={live}>
        <span className="group-hover:underline">{label}</span>
      </Status>
      <span className="pl-4 text-sm text-muted">
        <RelativeTime at={run.createdAt} />
      </span>
    </Link>
  );
}

export interface WorkflowState {
  label: string;
  tone: Tone;
  /** Its effect on the next request. */
  hint: string;
}

/** The most important state of a workflow. */
export function stateOf({
  publishedVersion,
  active,
  holdsRuns = false,
  hasUnpublishedChanges,
  broken,
}: Pick<
  WorkflowRow,
  'publishedVersion' | 'active' | 'holdsRuns' | 'hasUnpublishedChanges' | 'broken'
>): WorkflowState {
  if (publishedVersion === null) {
    return { label: 'Draft', tone: 'neutral', hint: 'Not published. Only its test URL works.' };
  }
  const live = `Version ${publishedVersion}`;
  if (!active) {
    const events = holdsRuns
      ? 'Webhooks are held: their runs begin when it is active again.'
      : 'Events are saved and can be replayed.';
    return { label: 'Paused', tone: 'warning', hint: `${live}. ${events}` };
  }
  if (broken) return { label: 'Broken', tone: 'danger', hint: `${live} is published, but its runs fail.` };
  if (hasUnpublishedChanges) {
    return {
      label: 'Unpublished changes',
      tone: 'info',
      hint: `${live} is published; the draft has changes.`,
    };
  }
  return { label: 'Published', tone: 'success', hint: `${live} is published.` };
}

const RUN_STATUS: Readonly<Record<RunStatus, { label: string; tone: Tone; live?: boolean }>> = {
  queued: { label: 'Queued', tone: 'neutral', live: true },
  running: { label: 'Running', tone: 'info', live: true },
  waiting: { label: 'Waiting', tone: 'info' },
  succeeded: { label: 'Succeeded', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
};
