// Metrics for Prometheus, from the process's telemetry (lib/core/telemetry.ts). Names follow Prometheus' own rules: they
// include the unit, and counters end in `_total`.
import { Counter, Histogram, type Registry } from 'prom-client';
import { telemetry } from '#lib/core/telemetry.ts';

type Told = Parameters<typeof telemetry.task.tell>[0];

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Where alert rules detect the first occurrence, a series starts with 0: there is no increase from a missing series to 1. */
function startAtZero<Label extends string>(
  counter: Counter<Label>,
  label: Label,
  values: readonly string[],
): void {
  for (const value of values) counter.inc({ [label]: value } as Partial<Record<Label, string>>, 0);
}

/** Counts and times everything from now on. */
export function openInstruments(registry: Registry): void {
  const registers = [registry];
  const webhooks = new Counter({
    name: 'patchbay_webhooks_total',
    help: 'Webhooks answered, by reason: accepted, or the code of the error.',
    labelNames: ['reason'],
    registers,
  });
  const webhookSeconds = new Histogram({
    name: 'patchbay_webhook_duration_seconds',
    help: 'From the request to its answer, by how the caller is answered: immediate, redirect, after_workflow, refused.',
    labelNames: ['mode'],
    buckets: SECONDS,
    registers,
  });
  startAtZero(webhooks, 'reason', ['accepted', 'overloaded', 'internal']);
  telemetry.webhook.listen(({ reason, mode, seconds }) => {
    webhooks.inc({ reason });
    webhookSeconds.observe({ mode }, seconds);
  });

  const batches = new Histogram({
    name: 'patchbay_intake_batch_webhooks',
    help: 'Webhooks that were committed together.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  });
  telemetry.batch.listen(({ size }) => batches.observe(size));

  const runs = new Counter({
    name: 'patchbay_runs_total',
    help: 'Runs that ended, by their status.',
    labelNames: ['status'],
    registers,
  });
  startAtZero(runs, 'status', ['succeeded', 'failed', 'cancelled']);
  telemetry.run.listen(({ status }) => runs.inc({ status }));

  const tasks = new Counter({
    name: 'patchbay_task_executions_total',
    help: 'Executions of tasks, by type and outcome: done, waits, loops, or the code of the error.',
    labelNames: ['type', 'outcome'],
    registers,
  });
  const taskSeconds = new Histogram({
    name: 'patchbay_task_duration_seconds',
    help: 'How long an execution of a task took, by type.',
    labelNames: ['type'],
    buckets: SECONDS,
    registers,
  });
  const count = ({ type, outcome, seconds }: Told): void => {
    tasks.inc({ type, outcome });
    taskSeconds.observe({ type }, seconds);
  };
  /** Results of first legs, which may never be committed: by the key of the task run. */
  const uncounted = new WeakMap<object, Told[]>();
  telemetry.task.listen((told) => {
    if (told.isFirstLeg) uncounted.set(told.key, [...(uncounted.get(told.key) ?? []), told]);
    else count(told);
  });
  telemetry.firstLeg.listen(({ leg: { taskRuns = [] } }) => {
    for (const key of taskRuns) {
      uncounted.get(key)?.forEach(count);
      uncounted.delete(key);
    }
  });

  const calls = new Counter({
    name: 'patchbay_platform_calls_total',
    help: 'Calls of the messaging platform, by operation and outcome: ok, or the class of the error.',
    labelNames: ['operation', 'outcome'],
    registers,
  });
  const callSeconds = new Histogram({
    name: 'patchbay_platform_call_duration_seconds',
    help: 'How long the messaging platform took to answer, by operation.',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers,
  });
  telemetry.platformCall.listen(({ operation, outcome, seconds }) => {
    calls.inc({ operation, outcome });
    callSeconds.observe({ operation }, seconds);
  });

  const sends = new Counter({
    name: 'patchbay_sends_total',
    help: 'Messages handed to the platform, by type, outcome (accepted, or the class of the error) and error: its code, none, or other.',
    labelNames: ['type', 'outcome', 'error'],
    registers,
  });
  telemetry.send.listen(({ type, outcome, error }) => sends.inc({ type, outcome, error }));

  const statuses = new Counter({
    name: 'patchbay_message_statuses_total',
    help: 'Statuses of messages that the platform told, by status and error: the code of a failure, none, or other.',
    labelNames: ['status', 'error'],
    registers,
  });
  telemetry.messageStatus.listen(({ status, error }) => statuses.inc({ status, error }));

  const removed = new Counter({
    name: 'patchbay_retention_removed_rows_total',
    help: 'Rows that retention removed or cleared: run_bodies, event_bodies, runs, events, messages, audit.',
    labelNames: ['part'],
    registers,
  });
  telemetry.removed.listen(({ part, rows }) => removed.inc({ part }, rows));

  const spans = new Counter({
    name: 'patchbay_trace_spans_total',
    help: 'Spans of traces, by outcome: exported, queue_full, export_failed.',
    labelNames: ['outcome'],
    registers,
  });
  startAtZero(spans, 'outcome', ['exported', 'queue_full', 'export_failed']);
  telemetry.spans.listen(({ outcome, count }) => spans.inc({ outcome }, count));

  const refreshes = new Counter({
    name: 'patchbay_token_refreshes_total',
    help: "Refreshes of connections' access tokens, by outcome.",
    labelNames: ['outcome'],
    registers,
  });
  startAtZero(refreshes, 'outcome', ['usable', 'not_now', 'broken']);
  telemetry.tokenRefresh.listen(({ outcome }) => refreshes.inc({ outcome }));
}
