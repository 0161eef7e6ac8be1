/** The nonce with which this page may add style elements; set by the page's first script (shell/csp-script.tsx). */
export const styleNonce = (): string | undefined =>
  (globalThis as { __webpack_nonce__?: string }).__webpack_nonce__;
