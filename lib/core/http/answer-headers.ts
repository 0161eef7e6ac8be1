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
