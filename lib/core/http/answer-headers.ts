/**
 * The policy of what is no page: shown by a browser all the same, it has no origin of ours, runs nothing and loads nothing. A
 * webhook answers what its workflow says, which may be XHTML with a script. next.config.mjs has the same text.
 */
export const NO_PAGE_POLICY = "default-src 'none'; sandbox";

/** Headers of every answer that is no page. */
export const ANSWER_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': NO_PAGE_POLICY,
  'Cache-Control': 'no-store',
} as const;
