import type { ErrorCode, Problem } from '#lib/core/errors.ts';

export interface ActionError {
  code: ErrorCode;
  /** For people: what is wrong and how to fix it. */
  message: string;
  /** By path, where a field is to blame. */
  problems: readonly Problem[];
}

/** What every server action answers. */
export type ActionResult<Data> = { ok: true; data: Data } | { ok: false; error: ActionError };
