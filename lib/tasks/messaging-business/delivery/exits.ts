// The exits of a send that waits for the status of its message.
import type { AwaitedStatus } from '#lib/messaging/schema/message-statuses.ts';
import type { TaskBranch } from '#lib/tasks/task-kind.ts';

/** The settings of a send about its wait. */
export const DELIVERY_FIELDS = ['wait_until', 'wait_amount', 'wait_unit'];

/** By awaited status. */
export const REACHED = {
  delivered: { name: 'delivered', label: 'Delivered', color: 'positive' },
  read: { name: 'read', label: 'Read', color: 'positive' },
} as const satisfies Readonly<Record<AwaitedStatus, TaskBranch>>;

export const DELIVERY_FAILED: TaskBranch = {
  name: 'delivery_failed',
  label: 'Delivery failed',
  color: 'failed',
  isTakenAfterFailure: true,
};
export const NOT_IN_TIME: TaskBranch = { name: 'not_in_time', label: 'Not in time', color: 'negative' };

type Settings = Readonly<Record<string, unknown>>;

/** Whether a send with these settings, which may be a draft's, waits. */
export const waitsForDelivery = ({ wait_until: until }: Settings): boolean =>
  until === 'delivered' || until === 'read';

/** Of every send (`suppressed.ts`). */
export const CUSTOMER_STOPPED: TaskBranch = {
  name: 'customer_stopped',
  label: 'Customer stopped',
  color: 'negative',
  isOptional: true,
};

/** The exits of a send with these settings, which may be a draft's. */
export function branchesOfDelivery({ wait_until: until }: Settings): readonly TaskBranch[] {
  if (until !== 'delivered' && until !== 'read') return [CUSTOMER_STOPPED];
  return [REACHED[until], DELIVERY_FAILED, NOT_IN_TIME, CUSTOMER_STOPPED];
}
