import type { TaskBranch } from '#lib/tasks/task-kind.ts';

export const APPROVED: TaskBranch = { name: 'approved', label: 'Approved', color: 'positive' };
export const REJECTED: TaskBranch = { name: 'rejected', label: 'Rejected', color: 'negative' };
export const NO_DECISION: TaskBranch = {
  name: 'no_decision',
  label: 'No decision in time',
  color: 'plain',
  isTakenAfterFailure: true,
};
