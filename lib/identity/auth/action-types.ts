import type { ErrorCode, Problem } from '#lib/core/errors.ts';

export interface ActionError {
  code: ErrorCode;
  /** What is wrong and how to fix it. */
  message: string;
  /** By path, for problems of fields. */
  problems: readonly Problem[];
}

/** The result of every server action. */
export type ActionResult<Data> = { ok: true; data: Data } | { ok: false; error: ActionError };
