// Input and result of the import dialog's check, which creates nothing.
import * as z from 'zod';
import { findImportSizeProblem } from '#lib/workflows/draft-size.ts';
import type { ImportProblem } from './locate-import-problem.ts';

export const importTextSchema = z.strictObject({
  text: z.string().superRefine((text, context) => {
    const message = findImportSizeProblem(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  }),
});

export const importSchema = importTextSchema.extend({
  /** Ids in the file → ids of this workspace; an empty one removes the connection. */
  connections: z.record(z.string(), z.string()),
  /** Sender of all tasks without a connection of this workspace. */
  sender: z.strictObject({ connectionId: z.string(), phoneNumberId: z.string().max(100) }).optional(),
});

export interface ImportCheck {
  name: string;
  taskCount: number;
  /** By path; without any, the file can be imported. */
  problems: readonly ImportProblem[];
  /** Problems that do not prevent the import, such as keys in plain text. */
  warnings: readonly ImportProblem[];
  /** Connections of the file's tasks that do not exist in this workspace. */
  unknownConnections: { id: string; taskNames: string[] }[];
  /** Whether a task has no connection or number of this workspace. */
  needsSender: boolean;
  /** Possible replacements. */
  connections: { id: string; name: string }[];
}
