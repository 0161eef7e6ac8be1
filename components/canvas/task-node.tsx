'use client';
import { Handle, type NodeProps, Position } from '@xyflow/react';
import {
  Ban,
  Check,
  CircleAlert,
  CircleHelp,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
  Pin,
  Reply,
  SkipForward,
  TriangleAlert,
  X,
} from 'lucide-react';
import { memo, use, useState } from 'react';
import { focusTask } from '#components/editor/focus.ts';
import { taskNodeId } from '#components/editor/node-ids.ts';
import { cx } from '#components/ui/cx.ts';
import { EXIT_ROW_PX, exitTop, IN_TOP_PX, TASK_HEADER_PX } from '#lib/editor/canvas/task-size.ts';
import type { TaskRunStatus } from '#lib/engine/run-types.ts';
import { describeTask } from '#lib/tasks/describe-task.ts';
import { isTriggerType } from '#lib/tasks/kinds.ts';
import { CalledNames, CanvasMode } from './canvas-mode.ts';
import { ExitHandle } from './exit.tsx';
import { TaskIcon } from './task-icon.tsx';
import type { TaskNodeType } from './to-flow.ts';

const HANDLE_CLASS = '!size-3 !rounded-full !border-2 !border-line-strong !bg-surface';

/** The card of a task. */
export const TaskNode = memo(function TaskNode({ data, selected }: NodeProps<TaskNodeType>) {
  const { task, exits, status } = data;
  const editor = use(CanvasMode);
  const names = use(CalledNames);
  const description = describeTask(task, names);
  const isSkipped = status === 'skipped' || status === 'cancelled';
  return (
    <div
      role="group"
      tabIndex={data.isTabStop ? 0 : -1}
      data-task-id={task.id}
      aria-label={describe(data, selected, description)}
      // Shortcuts apply to the focused card; several are selected with the mouse.
      onFocus={({ target, currentTarget }) => {
        if (editor && target === currentTarget && !selected && target.matches(':focus-visible'))
          editor.select([taskNodeId(task.id)]);
      }}
      className={cx(
        'group/task size-full rounded-lg border bg-surface shadow-raised outline-offset-2',
        selected
          ? 'border-accent ring-2 ring-accent/35'
          : status
            ? runStatusRing(status)
            : 'border-line-strong/60',
        (task.disabled === true || isSkipped) && 'opacity-60',
        task.disabled === true && 'border-dashed',
      )}
    >
      {!isTriggerType(task.type) && (
        <Handle
          type="target"
          id="in"
          position={Position.Left}
          className={HANDLE_CLASS}
          style={{ top: IN_TOP_PX }}
        />
      )}
      <div className="flex items-center gap-2.5 px-3" style={{ height: TASK_HEADER_PX - 2 }}>
        <TaskIcon task={task} />
        <div className="min-w-0 flex-1">
          {data.isRenaming ? (
            <RenameInput taskId={task.id} name={task.name} />
          ) : (
            <p className="truncate font-medium">{task.name}</p>
          )}
          <p title={description} className="line-clamp-2 text-xs/[0.9375rem] break-words text-muted">
            {task.disabled === true && 'Skipped · '}
            {description}
          </p>
        </div>
        {data.answersHere && <AnswerMark />}
        {data.isPinned && <PinMark />}
        <ProblemBadge {...data} />
      </div>
      {exits.length > 1 && (
        <ul className="border-t border-line pt-0.5" aria-label="Exits">
          {exits.map(({ branch, label }) => (
            <li
              key={branch ?? ''}
              className="flex items-center justify-end pr-4 pl-3 text-xs text-muted"
              style={{ height: EXIT_ROW_PX }}
            >
              <span className="truncate">{label}</span>
            </li>
          ))}
        </ul>
      )}
      {exits.map((exit, index) => (
        <ExitHandle
          key={exit.branch ?? ''}
          taskId={task.id}
          exit={exit}
          top={exitTop(task, index)}
          isOpen={data.openExits.split(',').includes(exit.branch ?? 'out')}
        />
      ))}
      {status && <RunStatusBadge status={status} />}
    </div>
  );
});

const ANSWERS_HERE = 'The caller is answered here: the run waits, and the caller does not';

const AnswerMark = () => (
  <span title={ANSWERS_HERE} className="text-info">
    <Reply aria-hidden className="size-4" />
    <span className="sr-only">{ANSWERS_HERE}</span>
  </span>
);

const PinMark = () => (
  <span title="Pinned: runs of the draft take its output and do not execute it" className="text-info">
    <Pin aria-hidden className="size-4" />
    <span className="sr-only">Pinned</span>
  </span>
);

function ProblemBadge({ errors, warnings, problem }: TaskNodeType['data']) {
  const isEditing = use(CanvasMode) !== null;
  if (!isEditing || errors + warnings === 0) return null;
  const Icon = errors > 0 ? CircleAlert : TriangleAlert;
  const more = errors + warnings > 1 ? ` (and ${errors + warnings - 1} more)` : '';
  return (
    <span title={`${problem ?? ''}${more}`} className={errors > 0 ? 'text-danger' : 'text-warning'}>
      <Icon aria-hidden className="size-4.5" />
      <span className="sr-only">{problem}</span>
    </span>
  );
}

function describe(
  { task, errors, warnings, problem, status, answersHere }: TaskNodeType['data'],
  selected: boolean,
  description: string,
): string {
  const parts = [task.name, description];
  if (task.disabled === true) parts.push('skipped');
  if (answersHere) parts.push('answers the caller');
  if (status) parts.push(runStatusLabel(status));
  if (errors + warnings > 0 && problem !== undefined)
    parts.push(`${errors > 0 ? 'problem' : 'warning'}: ${problem}`);
  if (selected) parts.push('selected');
  return parts.join(', ');
}

/** Renames a task in place: Enter saves, Escape cancels. */
function RenameInput({ taskId, name }: { taskId: number; name: string }) {
  const editor = use(CanvasMode);
  const [text, setText] = useState(name);
  const end = (kept: string) => {
    editor?.rename(taskId, kept);
    focusTask(taskId);
  };
  return (
    <input
      autoFocus
      aria-label="Task name"
      value={text}
      maxLength={200}
      className="nodrag w-full rounded-sm border border-accent bg-raised px-1 font-medium outline-none"
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => editor?.rename(taskId, text)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') end(text);
        if (event.key === 'Escape') end(name);
      }}
    />
  );
}

interface Look {
  label: string;
  icon: LucideIcon;
  badge: string;
  ring: string;
}

const LOOKS: Readonly<Record<TaskRunStatus, Look>> = {
  running: {
    label: 'Running',
    icon: LoaderCircle,
    badge: 'bg-info-soft text-info [&_svg]:animate-spin',
    ring: 'border-info',
  },
  waiting: {
    label: 'Waiting',
    icon: Hourglass,
    badge: 'bg-warning-soft text-warning',
    ring: 'border-warning',
  },
  succeeded: {
    label: 'Succeeded',
    icon: Check,
    badge: 'bg-success-soft text-success',
    ring: 'border-success',
  },
  failed: { label: 'Failed', icon: X, badge: 'bg-danger-soft text-danger', ring: 'border-danger' },
  outcome_unknown: {
    label: 'Outcome unknown',
    icon: CircleHelp,
    badge: 'bg-warning-soft text-warning',
    ring: 'border-warning',
  },
  skipped: { label: 'Skipped', icon: SkipForward, badge: 'bg-hover text-muted', ring: 'border-line' },
  cancelled: { label: 'Cancelled', icon: Ban, badge: 'bg-hover text-muted', ring: 'border-line' },
};

const runStatusLabel = (status: TaskRunStatus): string => LOOKS[status].label;
const runStatusRing = (status: TaskRunStatus): string => LOOKS[status].ring;

/** Status of a task in the shown run, at the corner of its card. */
function RunStatusBadge({ status }: { status: TaskRunStatus }) {
  const { icon: Icon, label, badge } = LOOKS[status];
  return (
    <span
      className={`absolute -top-2.5 right-2 inline-flex items-center gap-1 rounded-sm px-1.5 text-xs font-medium ${badge} [&_svg]:size-3`}
    >
      <Icon aria-hidden />
      {label}
    </span>
  );
}
