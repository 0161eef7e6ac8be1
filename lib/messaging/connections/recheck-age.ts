/** A page that shows connections asks about those whose last check is older; all who look at them share it. */
export const RECHECK_MS = 60_000;
