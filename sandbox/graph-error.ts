import { newTraceId } from './ids.ts';
import { PRODUCT } from './product.ts';

/** Title and HTTP status of every error code of the sandbox (sandbox/README.md, "What is refused"). */
const KNOWN: Record<number, { title: string; status: number }> = {
  1: { title: 'An unknown error has occurred.', status: 500 },
  2: { title: 'Service temporarily unavailable', status: 503 },
  4: { title: 'Application request limit reached', status: 429 },
  10: { title: 'Application does not have permission for this action', status: 403 },
  15: { title: 'This method must be called with an app access_token.', status: 400 },
  33: { title: 'This object does not exist or does not support this action', status: 404 },
  100: { title: 'Invalid parameter', status: 400 },
  190: { title: 'Invalid OAuth access token.', status: 401 },
  200: { title: 'Permissions error', status: 403 },
  2500: { title: 'Unknown path components', status: 400 },
  368: { title: 'Temporarily blocked for policies violations', status: 403 },
  2200: { title: 'Callback verification failed', status: 400 },
  80007: { title: 'Rate limit issues', status: 429 },
  80008: { title: 'There have been too many calls to this account. Wait a bit and try again.', status: 429 },
  130472: { title: "User's number is part of an experiment", status: 400 },
  130497: { title: 'Business account is restricted from messaging users in this country.', status: 403 },
  130429: { title: 'Rate limit hit', status: 429 },
  131000: { title: 'Something went wrong', status: 500 },
  131008: { title: 'Required parameter is missing', status: 400 },
  131009: { title: 'Parameter value is not valid', status: 400 },
  131016: { title: 'Service unavailable', status: 503 },
  131026: { title: 'Message undeliverable', status: 400 },
  131031: { title: 'Account has been locked', status: 403 },
  131042: { title: 'Business eligibility payment issue', status: 400 },
  131047: { title: 'Re-engagement message', status: 400 },
  131048: { title: 'Spam rate limit hit', status: 400 },
  131049: { title: 'This message was not delivered to maintain healthy ecosystem engagement.', status: 400 },
  131050: { title: 'The customer stopped marketing messages from your business', status: 400 },
  131051: { title: 'Unsupported message type', status: 400 },
  131052: { title: 'Media download error', status: 400 },
  131053: { title: 'Media upload error', status: 400 },
  131062: { title: 'Business-scoped user ID recipients are not supported for this message', status: 400 },
  131056: { title: 'Business account and customer pair rate limit hit', status: 429 },
  132000: { title: 'Number of parameters does not match the expected number of params', status: 400 },
  132001: { title: 'Template name does not exist in the translation', status: 404 },
  132012: { title: 'Parameter format does not match format in the created template', status: 400 },
  132015: { title: 'Template is paused', status: 400 },
  132016: { title: 'Template is disabled', status: 400 },
  133005: { title: 'Two step verification PIN Mismatch', status: 400 },
  133010: { title: 'Phone number not registered', status: 400 },
  133016: { title: 'Account register/deregister rate limit exceeded', status: 400 },
};

/** The meanings of the subcodes of 190. */
const TOKEN_SUBCODES: Record<number, string> = {
  458: 'The user has not authorized application.',
  459: 'The session has been invalidated because the user must log in at the platform first.',
  460: 'The session has been invalidated because the user changed their password.',
  463: 'Session has expired.',
  464: 'Sessions for the user are not allowed because the user is not a confirmed user.',
  467: 'The session is invalid because the user logged out.',
};

export type GraphErrorExtras = {
  subcode?: number;
  status?: number;
  retryAfterSeconds?: number;
  message?: string;
};

/** A response in the platform's error format. Decide by `code` first, by HTTP status second. */
export class GraphError extends Error {
  code: number;
  status: number;
  details: string;
  subcode: number | undefined;
  retryAfterSeconds: number | undefined;

  constructor(code: number, details: string, extras: GraphErrorExtras = {}) {
    super(extras.message ?? `(#${code}) ${wordsOf(code, extras.subcode)}`);
    this.code = code;
    this.details = details;
    this.subcode = extras.subcode;
    this.status = extras.status ?? KNOWN[code]?.status ?? (code < 600 && code >= 400 ? code : 400);
    this.retryAfterSeconds = extras.retryAfterSeconds;
  }

  /** The body of the answer. */
  toBody(): object {
    return {
      error: {
        message: this.message,
        type: 'OAuthException',
        code: this.code,
        ...(this.subcode === undefined ? {} : { error_subcode: this.subcode }),
        ...(this.details === '' ? {} : { error_data: { messaging_product: PRODUCT, details: this.details } }),
        fbtrace_id: newTraceId(),
      },
    };
  }

  toHeaders(): Record<string, string> {
    return this.retryAfterSeconds === undefined
      ? {}
      : { 'retry-after': String(Math.ceil(this.retryAfterSeconds)) };
  }
}

function wordsOf(code: number, subcode: number | undefined): string {
  const words = code === 190 && subcode !== undefined ? TOKEN_SUBCODES[subcode] : undefined;
  return words === undefined ? titleOf(code) : `Error validating access token: ${words}`;
}

/** The platform's title of a code. */
export function titleOf(code: number): string {
  return KNOWN[code]?.title ?? 'An error has occurred';
}

/** Code 100 with its own message, as for wrong and unknown parameters. */
export function invalidParameter(message: string): GraphError {
  return new GraphError(100, '', { message: `(#100) ${message}` });
}

/** A missing object (100/33). HTTP 404 for phones, as in the spec; 400 for all others, as on the real platform. */
export function unknownObject(id: string, method: string, status = 400): GraphError {
  const verb = method === 'GET' ? 'get' : method.toLowerCase();
  return new GraphError(100, '', {
    subcode: 33,
    status,
    message: `Unsupported ${verb} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`,
  });
}
