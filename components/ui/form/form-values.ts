import type { ActionError } from '#lib/identity/auth/action-types.ts';

/** The values of a form, by the names of its fields. */
export const readForm = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries(
    [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

// An action's error in a form: a problem of a field, or of the whole form.

/** The problem of the field at this path. */
export const problemAt = (error: ActionError | null | undefined, path: string): string | undefined =>
  error?.problems.find((problem) => problem.path === path)?.message;

/** The problem of the field at this path, or of one of its items. */
export const problemWithin = (error: ActionError | undefined, path: string): string | undefined =>
  error?.problems.find((problem) => problem.path === path || problem.path.startsWith(`${path}[`))?.message;

/** The problem of the whole form. */
export const problemOfForm = (error: ActionError | undefined): string | undefined =>
  error?.problems.length === 0 ? error.message : undefined;
