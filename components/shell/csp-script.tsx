/**
 * Configures libraries for the page's Content-Security-Policy before they run: get-nonce (used to lock scrolling behind
 * dialogs) reads the nonce of style elements from this global, and zod does not try `eval`.
 */
const SCRIPT =
  'globalThis.__webpack_nonce__=document.currentScript.nonce;(globalThis.__zod_globalConfig??={}).jitless=true';

/** @param nonce of this response; browsers hide it from scripts after parsing */
export const CspScript = ({ nonce }: { nonce: string | undefined }) => (
  <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: SCRIPT }} />
);
