/** The page to open after signing in: a path of this installation, or the workflows for anything else. */
export function readReturnPath(next: string | string[] | undefined): string {
  const isOurs = typeof next === 'string' && /^\/(?![/\\])[\x20-\x7e]*$/.test(next) && !next.includes('\\');
  return isOurs ? next : '/workflows';
}

/**
 * The same for a whole URL, as next-auth sends and stores them.
 * @param baseUrl the product's own, without a path
 */
export function returnUrl(baseUrl: string, url: string): string {
  if (url === baseUrl) return `${baseUrl}/`;
  return baseUrl + readReturnPath(url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url);
}
