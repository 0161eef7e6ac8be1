'use client';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { cx } from '#components/ui/cx.ts';
import { DeliveryMark, findMessageOf } from './delivery.tsx';
import { statusOfItem, type TimelineItem, type TimelineNode } from './group-iterations.ts';
import { RunStatusLabel, STATUS_TONES } from './run-status.tsx';
import { hasFailed } from '#lib/engine/run-statuses.ts';
import type { MessageView, TaskRunRow } from '#lib/screens/run-types.ts';
import { segmentsOf } from './segments.ts';
import { type TimeFrame, Track } from './track.tsx';

const ITEMS_AT_ONCE = 20;
/** Loops with at most this many items are expanded at first. */
const OPEN_ITEMS = 3;

export interface TimelineProps {
  messages: readonly MessageView[];
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
      {node.items.length > 0 && <Items items={node.items} {...props} />}
    </li>
  );
}

function Items({ items, ...props }: TimelineProps & { items: readonly TimelineItem[] }) {
  const [shown, setShown] = useState(ITEMS_AT_ONCE);
  return (
    <div className="ml-4 border-l border-line pl-2">
      <ul>
        {items.slice(0, shown).map((item) => (
          <Item key={item.index} item={item} startsOpen={items.length <= OPEN_ITEMS} {...props} />
        ))}
      </ul>
      {items.length > shown && (
        <div className="px-2 py-1.5">
          <Button size="sm" variant="ghost" onClick={() => setShown(shown + 5 * ITEMS_AT_ONCE)}>
            Show more of {items.length} items
          </Button>
        </div>
      )}
    </div>
  );
}

function Item({ item, startsOpen, ...props }: TimelineProps & { item: TimelineItem; startsOpen: boolean }) {
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
        <span className="flex-1">Item {item.index + 1}</span>
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
