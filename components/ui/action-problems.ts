// What an action's error means for a form: a problem of one of its fields, or of the form as a whole.
import type { ActionError } from '#lib/identity/auth/action-types.ts';

/** What is wrong with the field at this path. */
export const problemAt = (error: ActionError | undefined, path: string): string | undefined =>
  error?.problems.find((problem) => problem.path === path)?.message;

/** What is wrong with the field at this path, or with one of the items that it holds. */
export const problemWithin = (error: ActionError | undefined, path: string): string | undefined =>
  error?.problems.find((problem) => problem.path === path || problem.path.startsWith(`${path}[`))?.message;

/** What is wrong where no field is to blame. */
export const problemOfForm = (error: ActionError | undefined): string | undefined =>
  error?.problems.length === 0 ? error.message : undefined;
