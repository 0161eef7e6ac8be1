import {
  Ban,
  Check,
  CircleHelp,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
  SkipForward,
  X,
} from 'lucide-react';
import type { TaskRunStatus } from '#lib/engine/run-types.ts';

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

export const runStatusLabel = (status: TaskRunStatus): string => LOOKS[status].label;
export const runStatusRing = (status: TaskRunStatus): string => LOOKS[status].ring;

/** Status of a task in the shown run, at the corner of its card. */
export function RunStatusBadge({ status }: { status: TaskRunStatus }) {
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
