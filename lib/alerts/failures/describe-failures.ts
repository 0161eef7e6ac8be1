import type { RunError } from '#lib/engine/run-types.ts';
import { maskNumbersIn, maskSecrets } from '#lib/messaging/mask.ts';
import { hideLinks } from '#lib/approvals/hide-links.ts';
import { adviseOnFailure } from '#lib/runs/failure-advice.ts';
import type { AlertContent } from '../alert-types.ts';
import { writeDuration, writeInstant } from '../write-words.ts';
import type { Telling } from './weigh-failures.ts';

/** The newest failed run, which the alert links to. */
export interface ToldRun {
  id: string;
  error: RunError | null;
  /** The failed task; null: the run as a whole failed. */
  taskName: string | null;
}

const LONGEST_REASON = 500;

/** The alert about a workflow's failed runs. */
export function describeFailures(
  { count, sinceMs, isDigest }: Telling,
  {
    workflowId,
    workflowName,
    run,
    cooldownMinutes,
  }: {
    workflowId: string;
    workflowName: string;
    run: ToldRun;
    cooldownMinutes: number;
  },
): AlertContent {
  const name = `“${workflowName}”`;
  const at = writeInstant(new Date(sinceMs));
  const where = run.taskName === null ? '' : ` at the task “${run.taskName}”`;
  const reason = shorten(hideLinks(maskSecrets(maskNumbersIn(run.error?.message ?? 'The run failed.'))));
  const many = count === 1 ? 'a run' : `${count} runs`;
  const happened = isDigest
    ? `${count === 1 ? 'Another run' : `${count} more runs`} of the workflow ${name} failed since ${at}.`
    : count === 1
      ? `A run of the workflow ${name} failed${where}, at ${at}.`
      : `${count} runs of the workflow ${name} failed, the first at ${at}.`;
  const why = count === 1 && !isDigest ? `Reason: ${reason}` : `The newest failed${where}: ${reason}`;
  return {
    title: isDigest
      ? `${name}: ${count} more failed ${count === 1 ? 'run' : 'runs'}`
      : `${name}: ${many} failed`,
    paragraphs: [
      happened,
      why,
      `${adviseOnFailure(run.error)}`,
      `If more runs of this workflow fail, you get them in one alert, ${writeDuration(cooldownMinutes * 60)} from now at the earliest.`,
    ],
    link:
      count === 1
        ? { label: 'Open the run', path: `/runs/${run.id}` }
        : { label: 'Open the failed runs', path: `/runs?workflow=${workflowId}&status=failed` },
    workflowName,
    count,
    since: new Date(sinceMs).toISOString(),
    runId: run.id,
  };
}

const shorten = (text: string): string =>
  text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON)}…` : text;
