/** Where somebody wanted to go before signing in: a path of ours, or the workflows for anything else. */
export function readReturnPath(next: string | string[] | undefined): string {
  const isOurs = typeof next === 'string' && /^\/(?![/\\])[\x20-\x7e]*$/.test(next) && !next.includes('\\');
  return isOurs ? next : '/workflows';
}
