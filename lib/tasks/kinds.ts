// Every task type for the canvas. They do not import schemas: the canvas opens without them.
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { approvalLinkKind } from './approval-link/kind.ts';
import { callWorkflowKind } from './call-workflow/kind.ts';
import { customerConsentKind } from './customer-consent/kind.ts';
import { delayKind } from './delay/kind.ts';
import { httpRequestKind } from './http-request/kind.ts';
import { ifConditionKind } from './if-condition/kind.ts';
import { inboundWebhookKind } from './inbound-webhook/kind.ts';
import { messageTriggerKind } from './message-trigger/kind.ts';
import { openingHoursKind } from './opening-hours/kind.ts';
import { loopKind } from './loop/kind.ts';
import { askKind } from './messaging-business/ask/kind.ts';
import { messagingBusinessKind } from './messaging-business/kind.ts';
import { moreKind } from './messaging-business/more/kind.ts';
import { scheduleTriggerKind } from './schedule-trigger/kind.ts';
import { setVariablesKind } from './set-variables/kind.ts';
import { switchKind } from './switch/kind.ts';
import type { TaskKind } from './task-kind.ts';
import { waitForApprovalKind } from './wait-for-approval/kind.ts';

/** In the order of the palette, within each category. */
const kinds = {
  inbound_webhook: inboundWebhookKind,
  message_trigger: messageTriggerKind,
  schedule_trigger: scheduleTriggerKind,
  if_condition: ifConditionKind,
  switch: switchKind,
  delay: delayKind,
  opening_hours: openingHoursKind,
  loop: loopKind,
  call_workflow: callWorkflowKind,
  approval_link: approvalLinkKind,
  wait_for_approval: waitForApprovalKind,
  set_variables: setVariablesKind,
  http_request: httpRequestKind,
  messaging_business: messagingBusinessKind,
  ask_and_wait: askKind,
  customer_consent: customerConsentKind,
  messaging_business_more: moreKind,
} satisfies Record<string, TaskKind>;

type Kinds = typeof kinds;

/** The task types; the compiler requires each of them in every other registry. */
export type TaskType = keyof Kinds;

/** The types that start a workflow: the engine itself executes them. */
export type TriggerType = {
  [Type in TaskType]: Kinds[Type]['isTrigger'] extends true ? Type : never;
}[TaskType];

export const TASK_KINDS = new Map<string, TaskKind>(Object.entries(kinds));

/** Undefined for a type that does not exist. */
export const findTaskKind = (type: string): TaskKind | undefined => TASK_KINDS.get(type);

/** Whether a task of this type starts a workflow. */
export const isTriggerType = (type: string): boolean => findTaskKind(type)?.isTrigger === true;

/** Whether a task may become one of the other type: a trigger another trigger. Its id, and so its variables, stay. */
export const mayBecome = (type: string, other: string): boolean =>
  type === other || (isTriggerType(type) && isTriggerType(other));

/** Whether a run waits at the task with its current settings. */
export function waitsAt({ type, settings }: Pick<WorkflowTask, 'type' | 'settings'>): boolean {
  const waits = findTaskKind(type)?.waits;
  return typeof waits === 'function' ? waits(settings) : waits === true;
}
