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
}

export const MAX_COUNTED = 1000;
