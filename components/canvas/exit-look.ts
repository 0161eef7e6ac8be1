import type { BranchColor } from '#lib/tasks/task-kind.ts';

/** The color of an exit and its edges. */
export const EXIT_COLORS: Readonly<Record<BranchColor, string>> = {
  plain: 'var(--color-line-strong)',
  positive: 'var(--color-cable-green)',
  negative: 'var(--color-cable-amber)',
  repeat: 'var(--color-cable-violet)',
  failed: 'var(--color-danger)',
};
