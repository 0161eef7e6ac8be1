// Every operation of the API (docs/api.md): a new one is an entry in one of these tables.
import type { Operation } from '../operation.ts';
import { ALERT_OPERATIONS } from './alerts.ts';
import { API_KEY_OPERATIONS } from './api-keys.ts';
import { CONNECTION_OPERATIONS } from './connections.ts';
import { CUSTOMER_OPERATIONS } from './customers.ts';
import { CONSENT_OPERATIONS } from './consent.ts';
import { EVENT_OPERATIONS } from './events.ts';
import { EXPORT_OPERATIONS } from './exports.ts';
import { HEALTH_OPERATIONS } from './health.ts';
import { LIST_OPERATIONS } from './lists.ts';
import { MESSAGE_TEMPLATE_OPERATIONS } from './message-templates.ts';
import { REPORT_OPERATIONS } from './reports.ts';
import { RUN_OPERATIONS } from './runs.ts';
import { SECRET_OPERATIONS } from './secrets.ts';
import { SIGN_IN_OPERATIONS } from './sign-in.ts';
import { TASK_TYPE_OPERATIONS } from './task-types.ts';
import { WORKFLOW_OPERATIONS } from './workflows.ts';
import { WORKSPACE_OPERATIONS } from './workspace.ts';

export const OPERATIONS: readonly Operation[] = [
  ...WORKFLOW_OPERATIONS,
  ...TASK_TYPE_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...RUN_OPERATIONS,
  ...LIST_OPERATIONS,
  ...CUSTOMER_OPERATIONS,
  ...EXPORT_OPERATIONS,
  ...REPORT_OPERATIONS,
  ...CONNECTION_OPERATIONS,
  ...MESSAGE_TEMPLATE_OPERATIONS,
  ...CONSENT_OPERATIONS,
  ...API_KEY_OPERATIONS,
  ...SECRET_OPERATIONS,
  ...ALERT_OPERATIONS,
  ...SIGN_IN_OPERATIONS,
  ...WORKSPACE_OPERATIONS,
  ...HEALTH_OPERATIONS,
];
