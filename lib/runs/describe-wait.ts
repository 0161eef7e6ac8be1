/**
 * What a task waits for, as its text says it: "Question sent. Waiting for the customer’s answer." → "Waiting for the customer’s
 * answer". Isomorphic.
 * @returns null: its text names nothing, such as that of a delay
 */
export const describeWait = (runText: string | null): string | null =>
  runText === null ? null : (/\bWaiting for .+?(?= until \d|\.|$)/.exec(runText)?.[0] ?? null);
