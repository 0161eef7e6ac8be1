/** The cable's colour of an exit. */
export function exitColour(branch: string | undefined): string {
  if (branch === 'true' || branch === 'done') return 'var(--color-cable-green)';
  if (branch === 'false') return 'var(--color-cable-amber)';
  if (branch === 'each') return 'var(--color-cable-violet)';
  if (branch === 'failed') return 'var(--color-danger)';
  return 'var(--color-line-strong)';
}
