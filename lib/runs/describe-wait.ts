/**
 * What a task waits for, from its run text: "Question sent. Waiting for the customer’s answer." → "Waiting for the customer’s
 * answer". Isomorphic.
 * @returns null: the text does not say, as for a delay
 */
export const describeWait = (runText: string | null): string | null =>
  runText === null ? null : (/\bWaiting for .+?(?= until \d|\.|$)/.exec(runText)?.[0] ?? null);
