import * as z from 'zod';

/** How long a deleted workflow can be restored. */
export const TRASH_DAYS = 30;

export const trashedWorkflowSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    published_version: z.int().nullable().meta({ description: 'Null if it was not published.' }),
    deleted_at: z.string(),
    removed_at: z.string().meta({ description: 'When it is deleted permanently.' }),
  })
  .meta({ id: 'TrashedWorkflow' });

export type TrashedWorkflow = z.infer<typeof trashedWorkflowSchema>;

/** The effects of deleting a workflow, counted up to `MAX_COUNTED`. */
export interface DeletionPreview {
  isPublished: boolean;
  active: boolean;
  runsInProgress: number;
  waitingCustomers: number;
  /** Names of the workflows that call it. */
  calledBy: readonly string[];
}

export const MAX_COUNTED = 1000;

/** Describes the effects of deleting a workflow: for callers, for customers, for runs, and how to restore it. */
export function describeDeletion(preview: DeletionPreview, cancelsRuns: boolean): string[] {
  return [
    describeCallers(preview),
    ...describeCallingWorkflows(preview.calledBy),
    ...describeCustomers(preview.waitingCustomers, cancelsRuns),
    ...describeRuns(preview.runsInProgress, cancelsRuns),
    `You can restore it from the trash for ${TRASH_DAYS} days. Its runs and events stay, with its name.`,
  ];
}

function describeCallers({ isPublished, active }: DeletionPreview): string {
  const insteadOf = isPublished && active ? '' : ' instead of 409';
  return `Callers of its webhook URLs get 404${insteadOf}, and their requests are not saved.`;
}

/** What stops working in the workflows that call one which is deleted, unpublished or paused. */
export function describeCallingWorkflows(calledBy: readonly string[]): string[] {
  if (calledBy.length === 0) return [];
  const names = calledBy.map((name) => `“${name}”`);
  const list = names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return [`${list} ${names.length === 1 ? 'calls' : 'call'} this workflow. Those calls will fail.`];
}

function describeCustomers(customers: number, cancelsRuns: boolean): string[] {
  if (customers === 0) return [];
  const isOne = customers === 1;
  const runs = isOne ? 'Their run continues.' : 'Their runs continue.';
  return [
    `${toText(customers)} ${isOne ? 'customer is' : 'customers are'} waiting for an answer. ${cancelsRuns ? 'They get no further message.' : runs}`,
  ];
}

function describeRuns(count: number, cancelsRuns: boolean): string[] {
  if (count === 0) return [];
  if (count === 1) return [`1 run is in progress. ${cancelsRuns ? 'It is cancelled.' : 'It continues.'}`];
  return [`${toText(count)} runs are in progress. ${cancelsRuns ? 'They are cancelled.' : 'They continue.'}`];
}

const toText = (count: number): string =>
  count >= MAX_COUNTED ? `${MAX_COUNTED.toLocaleString('en')} or more` : String(count);
