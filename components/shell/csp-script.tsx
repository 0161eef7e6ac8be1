/**
 * Tells libraries how to live with the page's Content-Security-Policy before they do anything: get-nonce (for what keeps
 * the page from scrolling behind a dialog) takes the nonce of style elements from this global, and zod tries no `eval`.
 */
const SCRIPT =
  'globalThis.__webpack_nonce__=document.currentScript.nonce;(globalThis.__zod_globalConfig??={}).jitless=true';

/** @param nonce of this answer; browsers hide it from scripts as soon as the page is there. */
export const CspScript = ({ nonce }: { nonce: string | undefined }) => (
  <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: SCRIPT }} />
);
