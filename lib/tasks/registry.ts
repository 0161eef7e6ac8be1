// Every task type, by its name; executors are in executors.ts, which only servers load.
import { approvalLink } from './approval-link/definition.ts';
import { callWorkflow } from './call-workflow/definition.ts';
import { customerConsent } from './customer-consent/definition.ts';
import { delay } from './delay/definition.ts';
import { httpRequest } from './http-request/definition.ts';
import { ifCondition } from './if-condition/definition.ts';
import { inboundWebhook } from './inbound-webhook/definition.ts';
import { messageTrigger } from './message-trigger/definition.ts';
import { openingHours } from './opening-hours/definition.ts';
import type { TaskType } from './kinds.ts';
import { loop } from './loop/definition.ts';
import { askAndWait } from './messaging-business/ask/definition.ts';
import { messagingBusiness } from './messaging-business/definition.ts';
import { messagingBusinessMore } from './messaging-business/more/definition.ts';
import { scheduleTrigger } from './schedule-trigger/definition.ts';
import { setVariables } from './set-variables/definition.ts';
import { switchTask } from './switch/definition.ts';
import type { TaskDefinition } from './task-definition.ts';
import { waitForApproval } from './wait-for-approval/definition.ts';

const definitions = {
  inbound_webhook: inboundWebhook,
  message_trigger: messageTrigger,
  schedule_trigger: scheduleTrigger,
  if_condition: ifCondition,
  switch: switchTask,
  delay,
  opening_hours: openingHours,
  loop,
  call_workflow: callWorkflow,
  approval_link: approvalLink,
  wait_for_approval: waitForApproval,
  set_variables: setVariables,
  http_request: httpRequest,
  messaging_business: messagingBusiness,
  ask_and_wait: askAndWait,
  customer_consent: customerConsent,
  messaging_business_more: messagingBusinessMore,
} satisfies { [Type in TaskType]: TaskDefinition & { type: Type } };

export const TASK_DEFINITIONS = new Map<string, TaskDefinition>(Object.entries(definitions));

/** Undefined for a type that does not exist. */
export const findTaskDefinition = (type: string): TaskDefinition | undefined => TASK_DEFINITIONS.get(type);
