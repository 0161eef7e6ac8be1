// What the import dialog is told about a file before anything is made of it.
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
  /** Ids in the file → ids of this workspace; an empty one leaves the task without a connection. */
  connections: z.record(z.string(), z.string()),
  /** Whom the messages of every task come from that has no connection of this workspace. */
  sender: z.strictObject({ connectionId: z.string(), phoneNumberId: z.string().max(100) }).optional(),
});

export interface ImportCheck {
  name: string;
  taskCount: number;
  /** What is wrong, by path; the import is possible when there is nothing. */
  problems: readonly ImportProblem[];
  /** What keeps nothing from being imported, such as keys in plain text. */
  warnings: readonly ImportProblem[];
  /** Connections that tasks of the file use and this workspace does not have. */
  unknownConnections: { id: string; taskNames: string[] }[];
  /** Whether a task has no connection or number, or none of this workspace. */
  needsSender: boolean;
  /** What they can be replaced with. */
  connections: { id: string; name: string }[];
}
