/** "no run", "one run", "3 runs". */
export function countOf(count: number, noun: string): string {
  if (count === 0) return `no ${noun}`;
  return count === 1 ? `one ${noun}` : `${count} ${noun}s`;
}
