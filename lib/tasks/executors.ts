// The executor of each task type; triggers are executed by the engine.
import type { FindExecutor, TaskExecutor } from '#lib/engine/task-executor.ts';
import { env } from '#lib/core/env.ts';
import { listPrivateHosts } from '#lib/core/http/public-address.ts';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { passesTraces } from '#lib/core/trace-settings.ts';
import { messagingRuntime } from '#lib/messaging/runtime.ts';
import type { SecretSource } from '#lib/secrets/stored-secrets.ts';
import { createApprovalLinkExecutor } from './approval-link/execute.ts';
import { createCallWorkflowExecutor } from './call-workflow/execute.ts';
import { createCustomerConsentExecutor } from './customer-consent/execute.ts';
import { createHttpRequestExecutor } from './http-request/execute.ts';
import { INSTANT_EXECUTORS } from './instant-tasks.ts';
import type { TaskType, TriggerType } from './kinds.ts';
import { createAskExecutor } from './messaging-business/ask/execute.ts';
import { createMessagingBusinessExecutor } from './messaging-business/execute.ts';
import { createMoreExecutor } from './messaging-business/more/execute.ts';
import { createWaitForApprovalExecutor } from './wait-for-approval/execute.ts';
import { createOpeningHoursExecutor } from './opening-hours/execute.ts';
import { findTaskDefinition } from './registry.ts';
import { withZones } from './with-customer-zone.ts';
import { withSecrets } from './with-secrets.ts';

/** Created on first use: some read the app's settings. */
const factories = {
  approval_link: () => createApprovalLinkExecutor(processRuntime),
  call_workflow: () => createCallWorkflowExecutor(processRuntime),
  wait_for_approval: () => createWaitForApprovalExecutor(processRuntime),
  http_request: () =>
    createHttpRequestExecutor({
      allowedPrivateHosts: listPrivateHosts(env().ALLOWED_PRIVATE_HOSTS),
      passesTraces: passesTraces(env()),
    }),
  messaging_business: () => createMessagingBusinessExecutor(messagingRuntime),
  ask_and_wait: () => createAskExecutor(messagingRuntime),
  opening_hours: () => createOpeningHoursExecutor(processRuntime),
  customer_consent: () => createCustomerConsentExecutor(messagingRuntime),
  messaging_business_more: () => createMoreExecutor(messagingRuntime),
} satisfies Record<Exclude<TaskType, TriggerType | keyof typeof INSTANT_EXECUTORS>, () => TaskExecutor>;

export const EXECUTOR_FACTORIES = new Map<string, () => TaskExecutor>([
  ...Object.entries(INSTANT_EXECUTORS).map(([type, executor]) => [type, () => executor] as const),
  ...Object.entries(factories),
]);

const made = new Map<string, TaskExecutor>();

/** Undefined for a trigger and for a type that does not exist. */
export const findExecutor: FindExecutor = (type) => {
  const known = made.get(type);
  if (known) return known;
  const factory = EXECUTOR_FACTORIES.get(type);
  const definition = findTaskDefinition(type);
  if (!factory || !definition) return undefined;
  const executor = withSecrets(withZones(factory(), definition, processRuntime), definition, secretsOf);
  made.set(type, executor);
  return executor;
};

async function secretsOf(workspaceId: string): Promise<SecretSource> {
  const { db, secrets } = await messagingRuntime();
  return { pool: db.$client, secrets, workspaceId };
}
