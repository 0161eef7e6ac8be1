import {
  AlarmClock,
  BadgeCheck,
  CalendarClock,
  CalendarSync,
  ChartNoAxesColumn,
  CornerUpRight,
  Handshake,
  Image,
  Inbox,
  Megaphone,
  MessagesSquare,
  PackageCheck,
  PackageSearch,
  Reply,
  ShoppingCart,
  Star,
  UserPlus,
  Utensils,
} from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import type { Starter } from '#lib/editor/starters/build.ts';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import { edgeKey } from '#lib/engine/graph.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';
import type { TaskCategory } from '#lib/tasks/task-kind.ts';

const ICONS = {
  AlarmClock,
  BadgeCheck,
  CalendarClock,
  CalendarSync,
  ChartNoAxesColumn,
  CornerUpRight,
  Handshake,
  Image,
  Inbox,
  Megaphone,
  MessagesSquare,
  PackageCheck,
  PackageSearch,
  Reply,
  ShoppingCart,
  Star,
  UserPlus,
  Utensils,
};

const SAMPLE_TITLES: Readonly<Record<Starter['startedBy'], string>> = {
  webhook: 'A request it could receive',
  messages: 'A message as it receives it',
  schedule: 'What it gets at its time',
};

/** One starter: its purpose, a picture, and details on demand. */
export function StarterCard({
  starter,
  busy,
  onUse,
}: {
  starter: Starter;
  busy: boolean;
  onUse: () => void;
}) {
  const Icon = ICONS[starter.icon];
  const use = (
    <Button variant="primary" size="sm" loading={busy} onClick={onUse} aria-label={`Use “${starter.name}”`}>
      Use this
    </Button>
  );
  return (
    <article className="flex min-w-0 flex-1 flex-col rounded-lg border border-line bg-surface shadow-raised">
      <div className="rounded-t-lg border-b border-line bg-canvas">
        <MiniGraph graph={starter.graph} />
      </div>
      <div className="flex flex-1 flex-col p-4">
        <h2 className="flex items-center gap-2 text-lg font-semibold">
          <Icon aria-hidden className="size-4.5 shrink-0 text-accent" />
          {starter.name}
        </h2>
        <p className="mt-1 mb-4 flex-1 text-muted">{starter.summary}</p>
        <div className="flex justify-between gap-2">
          <Dialog
            title={starter.name}
            description={starter.summary}
            trigger={
              <Button
                variant="ghost"
                size="sm"
                className="-ml-2.5"
                aria-label={`Details of “${starter.name}”`}
              >
                Details
              </Button>
            }
            footer={use}
          >
            <p className="mb-4">{starter.description}</p>
            <h3 className="mb-1.5 text-sm font-medium">{SAMPLE_TITLES[starter.startedBy]}</h3>
            <CodeBlock label="sample request" code={JSON.stringify(starter.sample, null, 2)} />
            {(starter.otherSamples ?? []).map((sample, index) => (
              <div key={index} className="mt-3">
                <CodeBlock
                  label={`another sample request ${index + 1}`}
                  code={JSON.stringify(sample, null, 2)}
                />
              </div>
            ))}
          </Dialog>
          {use}
        </div>
      </div>
    </article>
  );
}

const WIDTH = 320;
const HEIGHT = 104;
/** Boxes are narrower with many columns. */
const WIDEST_BOX = 34;
const BOX_GAP = 8;
/** Boxes are lower with many rows. */
const HIGHEST_BOX = 24;
const ROW_GAP = 5;
const MARGIN = 34;
const WIDEST_ROW = 42;
const EDGE = 6;

const FILLS: Readonly<Record<TaskCategory, string>> = {
  trigger: 'fill-cable-amber',
  logic: 'fill-cable-violet',
  data: 'fill-cable-blue',
  messaging: 'fill-cable-green',
};

/** A small picture of a workflow: boxes at their positions, and the edges between them. */
function MiniGraph({ graph }: { graph: WorkflowGraph }) {
  const { placeOf, boxWidth, boxHeight } = layOut(graph.tasks);
  const byId = new Map(graph.tasks.map((task) => [task.id, task]));
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden className="h-26 w-full">
      {graph.edges.map((edge) => {
        const [parent, child] = [byId.get(edge.from), byId.get(edge.to)];
        if (!parent || !child) return null;
        return (
          <path
            key={edgeKey(edge)}
            d={cable(placeOf(parent), placeOf(child), boxWidth)}
            fill="none"
            strokeWidth="2"
            className="stroke-line-strong"
          />
        );
      })}
      {graph.tasks.map((task) => {
        const { x, y } = placeOf(task);
        return (
          <g key={task.id} transform={`translate(${x - boxWidth / 2} ${y - boxHeight / 2})`}>
            <rect
              width={boxWidth}
              height={boxHeight}
              rx={boxHeight / 4}
              strokeWidth="1.5"
              className="fill-raised stroke-line-strong"
            />
            <circle
              cx={boxWidth / 2}
              cy={boxHeight / 2}
              r={Math.min(5, boxHeight / 4)}
              className={FILLS[findTaskKind(task.type)?.category ?? 'logic']}
            />
          </g>
        );
      })}
    </svg>
  );
}

interface Place {
  x: number;
  y: number;
}

/** Spreads the columns over the width, and centers the rows; no box touches another one. */
export function layOut(tasks: readonly WorkflowTask[]): {
  placeOf: (task: WorkflowTask) => Place;
  boxWidth: number;
  boxHeight: number;
} {
  const distinct = (axis: 'x' | 'y') =>
    [...new Set(tasks.map((task) => task.position?.[axis] ?? 0))].sort((a, b) => a - b);
  const [columns, rows] = [distinct('x'), distinct('y')];
  const step = columns.length > 1 ? (WIDTH - 2 * MARGIN) / (columns.length - 1) : 0;
  const left = columns.length > 1 ? MARGIN : WIDTH / 2;
  const room = HEIGHT - 2 * EDGE;
  const boxHeight = Math.min(HIGHEST_BOX, (room + ROW_GAP) / rows.length - ROW_GAP);
  const row = Math.min(WIDEST_ROW, (room - boxHeight) / Math.max(1, rows.length - 1));
  const top = HEIGHT / 2 - ((rows.length - 1) * row) / 2;
  const placeOf = ({ position }: WorkflowTask): Place => ({
    x: left + columns.indexOf(position?.x ?? 0) * step,
    y: top + rows.indexOf(position?.y ?? 0) * row,
  });
  return { placeOf, boxWidth: step === 0 ? WIDEST_BOX : Math.min(WIDEST_BOX, step - BOX_GAP), boxHeight };
}

function cable(from: Place, to: Place, boxWidth: number): string {
  const start = from.x + boxWidth / 2;
  const end = to.x - boxWidth / 2;
  const middle = (start + end) / 2;
  return `M${start} ${from.y} C${middle} ${from.y} ${middle} ${to.y} ${end} ${to.y}`;
}
