// The parts of a web process and a worker, assembled as in server/web.ts and server/worker.ts, but in this process: faults
// cannot be injected into processes that `startProduct` starts.
import { newId } from '#lib/core/ids.ts';
import { startHeartbeat } from '#lib/engine/queue/heartbeat.ts';
import { startWorker } from '#lib/engine/queue/worker.ts';
import type { FindExecutor, TaskExecutor } from '#lib/engine/task-executor.ts';
import type { MessagingActorContext } from '#lib/messaging/connections/context.ts';
import { toMessagingRuntime } from '#lib/messaging/runtime.ts';
import { createApprovalLinkExecutor } from '#lib/tasks/approval-link/execute.ts';
import { EXECUTOR_FACTORIES } from '#lib/tasks/executors.ts';
import { createCallWorkflowExecutor } from '#lib/tasks/call-workflow/execute.ts';
import { createHttpRequestExecutor } from '#lib/tasks/http-request/execute.ts';
import { createCustomerConsentExecutor } from '#lib/tasks/customer-consent/execute.ts';
import { createAskExecutor } from '#lib/tasks/messaging-business/ask/execute.ts';
import { createMessagingBusinessExecutor } from '#lib/tasks/messaging-business/execute.ts';
import { patientLegs } from '#lib/tasks/testing/patient-legs.ts';
import { createOpeningHoursExecutor } from '#lib/tasks/opening-hours/execute.ts';
import { createMoreExecutor } from '#lib/tasks/messaging-business/more/execute.ts';
import { createWaitForApprovalExecutor } from '#lib/tasks/wait-for-approval/execute.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { withSecrets } from '#lib/tasks/with-secrets.ts';
import { renderRunAnswer } from '#lib/webhooks/render-response.ts';
import { type WebhookRuntime, webhookRuntime } from '#lib/webhooks/runtime.ts';
import { jobHandlers, recurringJobs } from '../../server/run-housekeeping.ts';
import type { ActingProcess } from './acting-process.ts';

export interface Web {
  process: ActingProcess;
  webhooks: WebhookRuntime;
  ctx: MessagingActorContext;
}

export async function startWeb(acting: ActingProcess, workspaceId: string): Promise<Web> {
  return acting.run(async () => {
    const { runtime } = acting;
    const { vital, logger } = runtime;
    const processId = newId();
    await startHeartbeat({
      pool: vital,
      processId,
      kind: 'web',
      jobPoolId: processId,
      clock: runtime.clock,
      logger,
    });
    const webhooks = webhookRuntime(runtime, { instantTasks: patientLegs });
    void acting.death.then(() => webhooks.close());
    const ctx = { ...toMessagingRuntime(runtime), workspaceId, actor: 'crash-points' };
    return { process: acting, webhooks, ctx };
  });
}

/** @param change of each executor, to remove a protection */
export function startActingWorker(
  acting: ActingProcess,
  change: (executor: TaskExecutor) => TaskExecutor = (executor) => executor,
): Promise<{ stop(): Promise<void> }> {
  return acting.run(() => {
    const { runtime } = acting;
    return startWorker({
      pools: runtime,
      findExecutor: executorsOf(acting, change),
      renderAnswer: (state, failed) => renderRunAnswer(state, failed, runtime.clock.now()),
      recurring: recurringJobs(runtime),
      handlers: jobHandlers(runtime),
      logger: runtime.logger,
      clock: runtime.clock,
      maxRuns: runtime.settings.WORKER_CONCURRENCY,
    });
  });
}

/** All task types; those that need their process get the simulated one. */
function executorsOf(acting: ActingProcess, change: (executor: TaskExecutor) => TaskExecutor): FindExecutor {
  const { runtime } = acting;
  const { db, secrets, settings } = runtime;
  const own: Record<string, () => TaskExecutor> = {
    approval_link: () => createApprovalLinkExecutor(async () => runtime),
    wait_for_approval: () => createWaitForApprovalExecutor(async () => runtime),
    call_workflow: () => createCallWorkflowExecutor(async () => runtime),
    http_request: () =>
      createHttpRequestExecutor({ allowedPrivateHosts: settings.ALLOWED_PRIVATE_HOSTS.split(',') }),
    messaging_business: () => createMessagingBusinessExecutor(async () => toMessagingRuntime(runtime)),
    messaging_business_more: () => createMoreExecutor(async () => toMessagingRuntime(runtime)),
    customer_consent: () => createCustomerConsentExecutor(async () => toMessagingRuntime(runtime)),
    opening_hours: () => createOpeningHoursExecutor(async () => runtime),
    ask_and_wait: () => createAskExecutor(async () => toMessagingRuntime(runtime)),
  };
  const made = new Map<string, TaskExecutor>();
  return (type) => {
    const known = made.get(type);
    if (known) return known;
    const factory = own[type] ?? EXECUTOR_FACTORIES.get(type);
    const definition = findTaskDefinition(type);
    if (!factory || !definition) return undefined;
    const source = async (workspaceId: string) => ({ pool: db.$client, secrets, workspaceId });
    const executor = withSecrets(change(factory()), definition, source);
    made.set(type, executor);
    return executor;
  };
}
