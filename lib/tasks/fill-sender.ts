// The sender of a workflow's messages, selected once and set in every task.
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { listPicked, listShownPickFields } from './picks.ts';
import { hasVariables, isMissing } from './setting-values.ts';
import type { PickSource } from './task-definition.ts';

/** A connection with the account and number that it is used for. */
export interface Sender {
  connectionId: string;
  businessAccountId?: string | undefined;
  phoneNumberId?: string | undefined;
}

type Task = Pick<WorkflowTask, 'type' | 'settings'>;

const valueOf = (sender: Sender, source: PickSource): string | undefined => {
  if (source === 'connection') return sender.connectionId;
  if (source === 'business_account') return sender.businessAccountId;
  return source === 'phone_number' ? sender.phoneNumberId : undefined;
};

/** A task's settings with the missing parts of a sender; a task with another connection is unchanged. */
export function fillSender(task: Task, sender: Sender): WorkflowTask['settings'] {
  const connection = listPicked(task).find(({ from }) => from === 'connection');
  if (!connection || !(isMissing(connection.value) || connection.value === sender.connectionId))
    return task.settings;
  const added = listShownPickFields(task).flatMap(({ field, from, isOptional }) => {
    const value = !isOptional && isMissing(task.settings[field]) ? valueOf(sender, from) : undefined;
    return value === undefined ? [] : [[field, value] as const];
  });
  return added.length === 0 ? task.settings : { ...task.settings, ...Object.fromEntries(added) };
}

/** Whether a task needs a connection, account or number that it does not have. */
export const lacksSender = (task: Task): boolean =>
  listShownPickFields(task).some(
    ({ field, from, isOptional }) =>
      from !== 'message_template' && !isOptional && isMissing(task.settings[field]),
  );

/** The common sender of all tasks that have one; without a number where numbers differ. */
export function findCommonSender(tasks: readonly Task[]): Sender | undefined {
  const only = (source: PickSource): string | undefined => {
    const values = new Set(
      tasks
        .flatMap(listPicked)
        .filter(({ from }) => from === source)
        .map(({ value }) => value)
        .filter(
          (value): value is string => typeof value === 'string' && !isMissing(value) && !hasVariables(value),
        ),
    );
    const [value] = values;
    return values.size === 1 ? value : undefined;
  };
  const connectionId = only('connection');
  if (connectionId === undefined) return undefined;
  return { connectionId, businessAccountId: only('business_account'), phoneNumberId: only('phone_number') };
}
