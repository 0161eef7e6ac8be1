/** The error for a compressed body, which is not read. */
export const ENCODING_PROBLEM = 'Content-Encoding is not supported: send the body as it is.';

/** Whether the body has no content coding (RFC 9110, 8.4). */
export const isIdentity = (encoding: string | null | undefined): boolean =>
  !encoding?.trim() || encoding.trim().toLowerCase() === 'identity';
