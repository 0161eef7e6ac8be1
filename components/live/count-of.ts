/** "one run", "3 runs". */
export const countOf = (count: number, noun: string): string =>
  count === 1 ? `one ${noun}` : `${count} ${noun}s`;
