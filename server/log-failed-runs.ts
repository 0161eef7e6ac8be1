import type { Logger } from 'pino';
import { about } from '#lib/core/log-fields.ts';
import { telemetry } from '#lib/core/telemetry.ts';

/**
 * Writes a line for each run that fails in this process: its ids and the code of its error. The message is left out, because it
 * may contain customers' data.
 */
export function logFailedRuns(logger: Pick<Logger, 'warn'>): void {
  telemetry.run.listen(({ failure }) => {
    if (!failure) return;
    const { run, taskId, iteration, code } = failure;
    const { id: runId, workflowId, event } = run;
    logger.warn(
      { ...about({ event, runId, workflowId, taskId, iteration }), error_code: code },
      'a run failed',
    );
  });
}
