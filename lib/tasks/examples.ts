// The example of every task type in its documentation.
import { approvalLinkExample } from './approval-link/definition.ts';
import { callWorkflowExample } from './call-workflow/definition.ts';
import { customerConsentExample } from './customer-consent/definition.ts';
import { delayExample } from './delay/definition.ts';
import { httpRequestExample } from './http-request/definition.ts';
import { ifConditionExample } from './if-condition/definition.ts';
import { inboundWebhookExample } from './inbound-webhook/definition.ts';
import { openingHoursExample } from './opening-hours/definition.ts';
import { loopExample } from './loop/definition.ts';
import { askExample } from './messaging-business/ask/definition.ts';
import { messagingBusinessExample } from './messaging-business/definition.ts';
import { moreExample } from './messaging-business/more/definition.ts';
import { scheduleTriggerExample } from './schedule-trigger/definition.ts';
import { messageTriggerExample } from './message-trigger/definition.ts';
import { setVariablesExample } from './set-variables/definition.ts';
import { waitForApprovalExample } from './wait-for-approval/definition.ts';
import type { TaskType } from './kinds.ts';
import { switchExample } from './switch/definition.ts';
import type { TaskExample } from './task-example.ts';

const examples = {
  inbound_webhook: inboundWebhookExample,
  message_trigger: messageTriggerExample,
  schedule_trigger: scheduleTriggerExample,
  if_condition: ifConditionExample,
  switch: switchExample,
  delay: delayExample,
  opening_hours: openingHoursExample,
  loop: loopExample,
  call_workflow: callWorkflowExample,
  approval_link: approvalLinkExample,
  wait_for_approval: waitForApprovalExample,
  set_variables: setVariablesExample,
  http_request: httpRequestExample,
  messaging_business: messagingBusinessExample,
  ask_and_wait: askExample,
  customer_consent: customerConsentExample,
  messaging_business_more: moreExample,
} satisfies Record<TaskType, TaskExample>;

export const TASK_EXAMPLES = new Map<string, TaskExample>(Object.entries(examples));
