import {
  Box,
  Clock,
  GitBranch,
  Globe,
  type LucideIcon,
  MessageCircle,
  MessageSquare,
  MessageSquareText,
  Repeat,
  Send,
  Variable,
  Webhook,
} from 'lucide-react';
import { findTaskKind } from '#lib/tasks/kinds.ts';
import type { TaskCategory } from '#lib/tasks/task-kind.ts';

/** Definitions name their icon; all of lucide's would be a megabyte. */
const ICONS: Readonly<Record<string, LucideIcon>> = {
  Clock,
  GitBranch,
  Globe,
  MessageCircle,
  MessageSquare,
  MessageSquareText,
  Repeat,
  Send,
  Variable,
  Webhook,
};

const TINTS: Readonly<Record<TaskCategory, string>> = {
  trigger: 'bg-accent-soft text-accent',
  logic: 'bg-warning-soft text-warning',
  data: 'bg-info-soft text-info',
  messaging: 'bg-success-soft text-success',
};

/** A task type's icon on the tint of its category. */
export function TaskIcon({ type, size = 'md' }: { type: string; size?: 'sm' | 'md' }) {
  const kind = findTaskKind(type);
  const Icon = ICONS[kind?.icon ?? ''] ?? Box;
  const tint = TINTS[kind?.category ?? 'logic'];
  const box = size === 'sm' ? 'size-6 [&_svg]:size-3.5' : 'size-9 [&_svg]:size-4.5';
  return (
    <span
      aria-hidden
      className={`inline-flex shrink-0 items-center justify-center rounded-md ${tint} ${box}`}
    >
      <Icon />
    </span>
  );
}
