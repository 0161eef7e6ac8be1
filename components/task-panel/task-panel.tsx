'use client';
export function TaskPanel({ taskId }: { taskId: number }) {
  return <aside aria-label="Task">{taskId}</aside>;
}
