/**
 * The policy of responses that are not pages: if a browser shows one anyway, it has none of our origin's rights, runs nothing
 * and loads nothing. A webhook's response is up to its workflow, which may return XHTML with a script. next.config.mjs has
 * the same text.
 */
export const NO_PAGE_POLICY = "default-src 'none'; sandbox";

/** Headers of every response that is not a page. */
export const ANSWER_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': NO_PAGE_POLICY,
  'Cache-Control': 'no-store',
} as const;

/** The style element that sonner adds without a nonce when it is loaded: first empty, then with its text. */
export const SONNER_STYLE_HASHES = [
  'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY=',
] as const;

const YEAR_SECONDS = 31_536_000;

/** HSTS, where the product is served over HTTPS. */
export const transportSecurity = (isHttps: boolean): Record<string, string> =>
  isHttps ? { 'Strict-Transport-Security': `max-age=${YEAR_SECONDS}` } : {};

/**
 * The policy of a page (Content Security Policy Level 3). Scripts and styles run by the nonce; scripts may load further ones.
 * `style` attributes are allowed: React renders them for `style={…}`, as the canvas does for the position of each task.
 * @param nonce fresh for each response
 * @param isHttps whether the product is served over HTTPS: subresources are upgraded, too
 * @param development React needs `eval` to show where an error comes from, and Next's overlay has styles without a nonce
 */
export function contentSecurityPolicy(nonce: string, isHttps: boolean, development = false): string {
  const known = [`'self' 'nonce-${nonce}'`, ...SONNER_STYLE_HASHES.map((hash) => `'${hash}'`)].join(' ');
  const styles = development ? "'self' 'unsafe-inline'" : known;
  const directives = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    `style-src ${styles}`,
    `style-src-elem ${styles}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "frame-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  return [...directives, ...(isHttps ? ['upgrade-insecure-requests'] : [])].join('; ');
}
