import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { offerOf, type TaskOffer } from '#lib/tasks/offers.ts';
import type { TaskCategory } from '#lib/tasks/task-kind.ts';

/** For unknown types: a box. */
const UNKNOWN =
  'M21 8a2 2 0 0 0-1-1.73l-7-4a2 2 0 0 0-2 0l-7 4A2 2 0 0 0 3 8v8a2 2 0 0 0 1 1.73l7 4a2 2 0 0 0 2 0l7-4A2 2 0 0 0 21 16ZM3.3 7l8.7 5 8.7-5M12 22V12';

const TINTS: Readonly<Record<TaskCategory, string>> = {
  trigger: 'bg-accent-soft text-accent',
  logic: 'bg-warning-soft text-warning',
  data: 'bg-info-soft text-info',
  messaging: 'bg-success-soft text-success',
};

interface IconProps {
  size?: 'sm' | 'md';
}

/** The icon of a task. */
export const TaskIcon = ({
  task,
  ...props
}: IconProps & { task: Pick<WorkflowTask, 'type' | 'settings'> }) => (
  <OfferIcon offer={offerOf(task)} {...props} />
);

/** An offer's icon on the tint of its category; a box for unknown types. */
export function OfferIcon({
  offer,
  size = 'md',
}: IconProps & { offer: Pick<TaskOffer, 'icon' | 'category'> | undefined }) {
  const tint = TINTS[offer?.category ?? 'logic'];
  const box = size === 'sm' ? 'size-6 [&_svg]:size-3.5' : 'size-9 [&_svg]:size-4.5';
  return (
    <span
      aria-hidden
      className={`inline-flex shrink-0 items-center justify-center rounded-md ${tint} ${box}`}
    >
      <svg
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d={offer?.icon ?? UNKNOWN} />
      </svg>
    </span>
  );
}
