/** The nonce for adding style elements; set by the page's first script (shell/csp-script.tsx). */
export const styleNonce = (): string | undefined =>
  (globalThis as { __webpack_nonce__?: string }).__webpack_nonce__;
