'use client';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { DOT_TONE, type Tone } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { cx } from '#components/ui/cx.ts';
import { formatDuration } from '#components/ui/format.ts';
import { hasFailed } from '#lib/engine/run-statuses.ts';
import type { CalledRunView, MessageView, TaskRunRow } from '#lib/screens/run-types.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';
import { CalledRuns } from './called-runs.tsx';
import { DeliveryMark, findMessageOf } from './delivery.tsx';
import { statusOfItem, type TimelineItem, type TimelineNode } from './group-iterations.ts';
import { RunStatusLabel, STATUS_TONES } from './run-status.tsx';

// The segments of a task run's bar: pure, for the run's timeline.

/** Milliseconds since 1970. */
interface Segment {
  /** `waiting`: for a delay's end or the next attempt; `failed`: an attempt that was retried. */
  kind: 'queued' | 'waiting' | 'failed' | 'working';
  fromMs: number;
  toMs: number;
}

/**
 * In order; none for skipped tasks and those that have not begun.
 * @param nowMs the end of segments in progress
 */
export function segmentsOf(
  { type, status, startedAt, finishedAt, earlier }: TaskRunRow,
  nowMs: number,
): Segment[] {
  if (!startedAt || status === 'skipped') return [];
  const segments: Segment[] = [];
  for (const attempt of earlier) {
    const fromMs = Date.parse(attempt.startedAt);
    addWait(segments, fromMs);
    segments.push({ kind: 'failed', fromMs, toMs: Date.parse(attempt.finishedAt) });
  }
  const endMs = finishedAt ? Date.parse(finishedAt) : nowMs;
  const isBetweenAttempts = status === 'waiting' && earlier.at(-1)?.startedAt === startedAt;
  if (isBetweenAttempts) addWait(segments, endMs);
  else {
    const fromMs = Date.parse(startedAt);
    addWait(segments, fromMs);
    const isWait = type !== null && findTaskKind(type)?.isWait === true;
    segments.push({ kind: isWait ? 'waiting' : 'working', fromMs, toMs: endMs });
  }
  return segments;
}

function addWait(segments: Segment[], untilMs: number): void {
  const last = segments.at(-1);
  if (last && last.toMs < untilMs) segments.push({ kind: 'waiting', fromMs: last.toMs, toMs: untilMs });
}

/** The time range of the bars: milliseconds since 1970. */
export interface TimeFrame {
  fromMs: number;
  toMs: number;
}

const MIN_BAR_PERCENT = 0.8;
const STRIPES = 'bg-[repeating-linear-gradient(135deg,currentColor_0_2px,transparent_2px_5px)]';
const WAITS: Partial<Record<Segment['kind'], string>> = {
  queued: `${STRIPES} text-line-strong`,
  waiting: `${STRIPES} text-accent`,
};

const lookOf = (kind: Segment['kind'], tone: Tone): string =>
  WAITS[kind] ?? DOT_TONE[kind === 'failed' ? 'danger' : tone];

/**
 * A line of the waterfall with its total duration. Equally wide inside and outside loops, so that bars align; its container
 * sets the width.
 */
export function Track({
  segments,
  frame,
  tone,
}: {
  segments: readonly Segment[];
  frame: TimeFrame;
  tone: Tone;
}) {
  const whole = Math.max(1, frame.toMs - frame.fromMs);
  const first = segments[0];
  const last = segments.at(-1);
  return (
    <span className="flex items-center justify-end gap-3">
      <span aria-hidden className="relative h-2 w-[58cqw] min-w-0 rounded-full bg-line/60">
        {segments.map(({ kind, fromMs, toMs }) => {
          const left = Math.min(100 - MIN_BAR_PERCENT, Math.max(0, ((fromMs - frame.fromMs) / whole) * 100));
          const width = Math.min(100 - left, Math.max(MIN_BAR_PERCENT, ((toMs - fromMs) / whole) * 100));
          return (
            <span
              key={fromMs + kind}
              className={cx('absolute inset-y-0 rounded-full', lookOf(kind, tone))}
              style={{ left: `${left.toFixed(2)}%`, width: `${width.toFixed(2)}%` }}
            />
          );
        })}
      </span>
      <span className="w-20 shrink-0 text-right text-xs whitespace-nowrap text-muted tabular-nums">
        {first && last ? formatDuration(last.toMs - first.fromMs) : ''}
      </span>
    </span>
  );
}

/** The legend of the bars, and their time range. */
export const TrackLegend = ({ frame }: { frame: TimeFrame }) => (
  <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-3 pt-3 text-xs text-muted">
    <Mark look={lookOf('queued', 'neutral')} text="in the queue" />
    <Mark look={lookOf('waiting', 'neutral')} text="waiting" />
    <Mark look={lookOf('working', 'success')} text="working" />
    <span className="ml-auto tabular-nums">{formatDuration(frame.toMs - frame.fromMs)} in all</span>
  </div>
);

const Mark = ({ look, text }: { look: string; text: string }) => (
  <span className="inline-flex items-center gap-1.5">
    <span aria-hidden className={cx('h-2 w-5 rounded-full', look)} />
    {text}
  </span>
);

const ITEMS_AT_ONCE = 20;
/** Loops with at most this many items are expanded at first. */
const OPEN_ITEMS = 3;

export interface TimelineProps {
  messages: readonly MessageView[];
  calls: readonly CalledRunView[];
  frame: TimeFrame;
  /** Task and iteration of the selected task run. */
  selected: string | null;
  onSelect: (task: TaskRunRow) => void;
}

export const taskRunKey = ({ taskId, iteration }: Pick<TaskRunRow, 'taskId' | 'iteration'>): string =>
  `${taskId}@${iteration.join('.')}`;

/** Task runs in the order of their start, with bars over time; the items of loops below them. */
export const RunTimeline = ({ nodes, ...props }: TimelineProps & { nodes: readonly TimelineNode[] }) => (
  <ul className="flex flex-col">
    {nodes.map((node) => (
      <Node key={taskRunKey(node.task)} node={node} {...props} />
    ))}
  </ul>
);

function Node({ node, ...props }: TimelineProps & { node: TimelineNode }) {
  return (
    <li>
      <TaskRunButton task={node.task} {...props} />
      <CalledRuns calls={props.calls.filter((call) => taskRunKey(call) === taskRunKey(node.task))} />
      {node.items.length > 0 && <Items items={node.items} name={node.task.itemName ?? 'Item'} {...props} />}
    </li>
  );
}

function Items({ items, name, ...props }: TimelineProps & { items: readonly TimelineItem[]; name: string }) {
  const [shown, setShown] = useState(ITEMS_AT_ONCE);
  return (
    <div className="ml-4 border-l border-line pl-2">
      <ul>
        {items.slice(0, shown).map((item) => (
          <Item key={item.index} item={item} name={name} startsOpen={items.length <= OPEN_ITEMS} {...props} />
        ))}
      </ul>
      {items.length > shown && (
        <div className="px-2 py-1.5">
          <Button size="sm" variant="ghost" onClick={() => setShown(shown + 5 * ITEMS_AT_ONCE)}>
            Show more of {items.length}
          </Button>
        </div>
      )}
    </div>
  );
}

function Item({
  item,
  name,
  startsOpen,
  ...props
}: TimelineProps & { item: TimelineItem; name: string; startsOpen: boolean }) {
  const status = statusOfItem(item);
  const [open, setOpen] = useState(startsOpen || hasFailed(status));
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-left text-sm hover:bg-hover"
      >
        {open ? (
          <ChevronDown aria-hidden className="size-4 text-muted" />
        ) : (
          <ChevronRight aria-hidden className="size-4 text-muted" />
        )}
        <span className="flex-1">
          {name} {item.index + 1}
        </span>
        <RunStatusLabel status={status} />
      </button>
      {open && <RunTimeline nodes={item.nodes} {...props} />}
    </li>
  );
}

function TaskRunButton({ task, messages, frame, selected, onSelect }: TimelineProps & { task: TaskRunRow }) {
  const isSelected = selected === taskRunKey(task);
  const message = findMessageOf(messages, task.taskId, task.iteration);
  return (
    <button
      type="button"
      aria-current={isSelected || undefined}
      onClick={() => onSelect(task)}
      className={cx(
        'flex w-full flex-col gap-1 rounded-md px-3 py-2 text-left',
        isSelected ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <span className="flex items-center gap-x-3 max-sm:flex-wrap">
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2 max-sm:basis-40">
          <span className="truncate font-medium">{task.name}</span>
          {task.branch && <span className="text-sm text-muted">→ {task.branch}</span>}
          {task.attempt > 1 && <span className="text-sm text-muted">attempt {task.attempt}</span>}
        </span>
        <span className="flex flex-wrap items-center justify-end gap-x-3 text-sm">
          {message && <DeliveryMark status={message.status} />}
          <RunStatusLabel status={task.status} />
        </span>
      </span>
      <Track segments={segmentsOf(task, frame.toMs)} frame={frame} tone={STATUS_TONES[task.status]} />
    </button>
  );
}
