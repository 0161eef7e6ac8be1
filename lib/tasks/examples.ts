// The example of every task type in its documentation.
import { approvalLinkExample } from './approval-link/example.ts';
import { callWorkflowExample } from './call-workflow/example.ts';
import { customerConsentExample } from './customer-consent/example.ts';
import { delayExample } from './delay/example.ts';
import { httpRequestExample } from './http-request/example.ts';
import { ifConditionExample } from './if-condition/example.ts';
import { inboundWebhookExample } from './inbound-webhook/example.ts';
import { openingHoursExample } from './opening-hours/example.ts';
import { loopExample } from './loop/example.ts';
import { askExample } from './messaging-business/ask/example.ts';
import { messagingBusinessExample } from './messaging-business/example.ts';
import { moreExample } from './messaging-business/more/example.ts';
import { scheduleTriggerExample } from './schedule-trigger/example.ts';
import { messageTriggerExample } from './message-trigger/example.ts';
import { setVariablesExample } from './set-variables/example.ts';
import { waitForApprovalExample } from './wait-for-approval/example.ts';
import type { TaskType } from './kinds.ts';
import { switchExample } from './switch/example.ts';
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
