export type GuardedRequestErrorKind =
  /** The URL is not an absolute http or https address without a name and password in it. */
  | 'invalid_url'
  /** A header cannot be sent. */
  | 'invalid_header'
  /** The host is, or resolves to, an address that is not public. */
  | 'refused_address'
  /** Name not found, connection refused, TLS handshake failed: nothing of the request was sent. */
  | 'not_sent'
  /** The timeout passed before the response was complete. */
  | 'timeout'
  /** The connection broke before the response was complete. */
  | 'interrupted'
  /** The response is not HTTP. */
  | 'invalid_response'
  /** The response is compressed although that was not requested. */
  | 'compressed_response'
  /** The response's body is larger than allowed. */
  | 'too_large'
  | 'too_many_redirects';

/**
 * Why a guarded request has no response. `bytesSent`: whether the server may have received the request; when false it
 * certainly did not, so that a retry is safe. `status`: of a response whose body could not be read.
 */
export class GuardedRequestError extends Error {
  override readonly name = 'GuardedRequestError';
  readonly kind: GuardedRequestErrorKind;
  readonly bytesSent: boolean;
  readonly status: number | undefined;

  constructor(
    kind: GuardedRequestErrorKind,
    message: string,
    options: { bytesSent?: boolean; status?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.bytesSent = options.bytesSent ?? false;
    this.status = options.status;
  }
}
