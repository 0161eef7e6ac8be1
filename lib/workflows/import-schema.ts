// What the import dialog is told about a file before anything is made of it.
import * as z from 'zod';
import type { Problem } from '#lib/errors.ts';

/** Far above any workflow: 500 tasks with long texts. */
const MAX_IMPORT_CHARACTERS = 5_000_000;

export const importTextSchema = z.strictObject({
  text: z.string().max(MAX_IMPORT_CHARACTERS, 'The file is larger than any workflow can be.'),
});

export const importSchema = importTextSchema.extend({
  /** Ids in the file → ids of this workspace; an empty one leaves the task without a connection. */
  connections: z.record(z.string(), z.string()),
});

export interface ImportCheck {
  name: string;
  taskCount: number;
  /** What is wrong, by path; the import is possible when there is nothing. */
  problems: readonly Problem[];
  /** Connections that tasks of the file use and this workspace does not have. */
  unknownConnections: { id: string; taskNames: string[] }[];
  /** What they can be replaced with. */
  connections: { id: string; name: string }[];
}
