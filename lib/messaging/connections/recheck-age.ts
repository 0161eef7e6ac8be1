/** A page with connections checks those whose last check is older; all viewers share the check. */
export const RECHECK_MS = 60_000;
