// The engine's statements on in-memory tables. simulation.db.test.ts executes the same statements on PostgreSQL and compares
// every result.
import * as jobs from './job-statements.ts';
import * as lines from './line-statements.ts';
import type { Statement } from './moment.ts';
import * as processes from './process-statements.ts';
import * as runs from './run-statements.ts';
import * as signals from './signal-statements.ts';

/** The statements by their names. */
export const STATEMENTS: Record<string, Statement<never>> = {
  start_runs: runs.startRuns,
  start_runs_with_legs: runs.startRunsWithLegs,
  start_runs_with_failed_legs: runs.startRunsWithLegs,
  start_runs_in_lines: runs.startRunsInLines,
  take_runs: runs.takeRuns,
  take_signaled_runs: runs.takeSignaledRuns,
  held_unclaimed: runs.areHeldUnclaimed,
  load_version: runs.loadVersion,
  load_task_runs: runs.loadTaskRuns,
  load_items: runs.loadItems,
  write_runs: runs.writeRuns,
  write_runs_with_signals: runs.writeRuns,
  write_runs_with_waits: runs.writeRunsWithWaits,
  write_runs_in_lines: runs.writeRunsInLines,
  // Runs do not depend on alerts.
  write_runs_that_fail: runs.writeRuns,
  write_runs_with_signals_that_fail: runs.writeRuns,
  write_runs_with_waits_that_fail: runs.writeRunsWithWaits,
  hold_runs: lines.holdRuns,
  open_gate: lines.openGates,
  limit_workspace: lines.limitWorkspace,
  open_workspace_gate: lines.openWorkspaceGates,
  load_waits: signals.loadWaits,
  load_signals: signals.loadSignals,
  find_waited_for: signals.findWaitedFor,
  deliver_signal: signals.deliverSignal,
  claim_runs: processes.claimRuns,
  release_runs: processes.releaseRuns,
  beat: processes.beat,
  give_back: processes.giveBack,
  give_back_strays: processes.giveBackStrays,
  take_jobs: jobs.takeJobs,
  find_others: jobs.findOthers,
  overtake: jobs.overtake,
  hurry_jobs: jobs.hurryJobs,
  end_jobs: jobs.endJobs,
  unlock_jobs: jobs.unlockJobs,
  add_recurring_job: jobs.addRecurringJob,
  add_job_for_all_runs: jobs.addJobForAllRuns,
};
