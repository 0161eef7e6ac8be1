// A trigger's rules for callers, ready to be checked: compiled once per version and cached.
import { isSameSecret } from '#lib/core/crypto/token.ts';
import { AppError, type ErrorCode } from '#lib/core/errors.ts';
import { isSecretName } from '#lib/core/secret-names.ts';
import { findPlaceholders, MASK } from '#lib/secrets/placeholder-format.ts';
import type { SecretValue } from '#lib/secrets/setting-secret.ts';
import type { WebhookRequest } from '#lib/webhooks/types.ts';
import { createAddressCheck, createOriginCheck, splitEntries } from './allowed-callers.ts';
import { type CallerCheck, type CallerSettings, callerSettingsShape } from './caller-settings.ts';
import { createSignatureCheck, type VerifySignature } from './verify-signature.ts';

type Headers = Readonly<Record<string, string>>;

export type CredentialCheck = Extract<CallerSettings['caller_check'], 'bearer' | 'basic' | 'header'>;

export interface CredentialRule {
  /** The header whose value is the credential, in lower case: it is not stored with events. */
  header: string;
  /** The value of `WWW-Authenticate` (RFC 9110, 11.6.1); undefined where no scheme of HTTP is used. */
  challenge: (headers: Headers) => string | undefined;
  /** Returns why the request is refused; undefined when it is not. */
  verify: (headers: Headers) => string | undefined;
}

/** Creates the check of a plain credential (RFC 6750, RFC 7617, or a custom header). */
function createCredentialCheck(
  check: CredentialCheck,
  { caller_name = '', caller_header = '', caller_secret }: CallerSettings & { caller_secret: string },
): CredentialRule {
  switch (check) {
    case 'bearer': {
      const token = caller_secret.replace(/^\s*Bearer\s+/i, '');
      return rule('authorization', bearerChallenge, BEARER_FIX, (value) => {
        const given = bearerToken(value);
        return given !== undefined && isSameSecret(given, token);
      });
    }
    case 'basic':
      return rule('authorization', basicChallenge, BASIC_FIX, (value) => {
        const given = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(value)?.[1];
        const pair = given === undefined ? undefined : Buffer.from(given, 'base64').toString();
        return pair !== undefined && isSameSecret(pair, `${caller_name}:${caller_secret}`);
      });
    case 'header':
      return rule(
        caller_header.toLowerCase(),
        () => undefined,
        'Send the secret of the trigger in it.',
        (value) => isSameSecret(value, caller_secret),
      );
  }
}

const BEARER_FIX = 'Send Authorization: Bearer with the token of the trigger.';
const BASIC_FIX = 'Send Authorization: Basic with the user name and password.';
const REALM = 'realm="Patchbay webhook"';

const bearerToken = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];

/** RFC 6750, 3.1: without a token the challenge has no error code. */
const bearerChallenge = ({ authorization }: Headers): string =>
  bearerToken(authorization) === undefined
    ? `Bearer ${REALM}`
    : `Bearer ${REALM}, error="invalid_token", error_description="The token is not the one of the trigger"`;

/** RFC 7617, 2.1: user name and password are read as UTF-8. */
const basicChallenge = (): string => `Basic ${REALM}, charset="UTF-8"`;

function rule(
  header: string,
  challenge: CredentialRule['challenge'],
  fix: string,
  isRight: (value: string) => boolean,
): CredentialRule {
  return {
    header,
    challenge,
    verify(headers) {
      const value = headers[header];
      if (!value) return `The header ${header} is missing. ${fix}`;
      return isRight(value) ? undefined : `The header ${header} does not hold the expected value. ${fix}`;
    },
  };
}

/** The caller did not authenticate as the trigger requires. */
export class CallerRefusal extends AppError {
  /** The value of `WWW-Authenticate`, for HTTP authentication schemes. */
  readonly challenge: string | undefined;

  constructor(code: ErrorCode, message: string, challenge: string | undefined) {
    super(code, message);
    this.challenge = challenge;
  }
}

export interface CallerRules {
  /** Checks what is known before the body is read: address and credentials. */
  checkRequest: (request: WebhookRequest) => AppError | undefined;
  /** Checks the bytes of the body as they arrived. */
  checkBytes?: (headers: Headers, bytes: Uint8Array, now: Date) => AppError | undefined;
  /** As `checkBytes`, for a body that is not completely in memory. */
  checkChunks?: (
    headers: Headers,
    chunks: AsyncIterable<Uint8Array>,
    now: Date,
  ) => Promise<AppError | undefined>;
  acceptsForms: boolean;
  /** Stores files of forms; otherwise they are refused. */
  storesFiles: boolean;
  /** Headers of the response for a website's origin; left out where websites may not call. */
  originHeaders?: (origin: string | undefined) => Record<string, string>;
  /** The header that contains a plain credential, in lower case. */
  credentialHeader?: string;
}

const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'address_not_allowed',
  'invalid_credentials',
  'invalid_signature',
]);

/** Whether a request was refused because of its caller. */
const isCallerRefusal = ({ code }: AppError): boolean => REFUSALS.has(code);

/** Headers to store with an event: no secret of a refused caller, and never a credential. */
export function keptHeaders(
  headers: Record<string, string>,
  rules: CallerRules | undefined,
  refusal: AppError | undefined,
): Record<string, string> {
  const isRefused = refusal !== undefined && isCallerRefusal(refusal);
  const hidden = rules?.credentialHeader;
  if (!isRefused && (hidden === undefined || headers[hidden] === undefined)) return headers;
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      name === hidden || (isRefused && isSecretName(name)) ? MASK : value,
    ]),
  );
}

/** The settings of a trigger (possibly a draft's) about its callers; undefined when none is set. */
export function readCallerSettings(stored: Readonly<Record<string, unknown>>): CallerSettings | undefined {
  const entries = Object.keys(callerSettingsShape)
    .map((name) => [name, stored[name]] as const)
    .filter(([, value]) => value !== undefined && value !== '');
  const settings = Object.fromEntries(entries) as CallerSettings;
  const { caller_check, allowed_addresses, allowed_origins, body_types } = settings;
  const isOff =
    (caller_check ?? 'none') === 'none' &&
    splitEntries(allowed_addresses).length === 0 &&
    splitEntries(allowed_origins).length === 0 &&
    (body_types ?? 'json') === 'json';
  return isOff ? undefined : settings;
}

/** @param secrets that the settings refer to, by their ids */
export function compileCallerRules(
  settings: CallerSettings,
  secrets: ReadonlyMap<string, SecretValue>,
): CallerRules {
  const { allowed_addresses = '', allowed_origins = '', caller_check: check = 'none' } = settings;
  const isAllowed =
    splitEntries(allowed_addresses).length > 0 ? createAddressCheck(allowed_addresses) : undefined;
  const { verifyRequest, signature, credentialHeader, challenge } =
    check === 'none' ? ({} as Checks) : createChecks(check, settings, secrets);
  return {
    checkRequest(request) {
      if (isAllowed && !isAllowed(request.address?.())) return addressNotAllowed(request.address?.());
      const problem = verifyRequest?.(request.headers);
      return problem === undefined
        ? undefined
        : new CallerRefusal('invalid_credentials', problem, challenge?.(request.headers));
    },
    ...(signature && {
      checkBytes: (headers, bytes, now) => invalidSignature(signature.verify(headers, bytes, now)),
      checkChunks: async (headers, chunks, now) =>
        invalidSignature(await signature.verifyChunks(headers, chunks, now)),
    }),
    acceptsForms: settings.body_types === 'json_and_forms' || settings.body_types === 'json_forms_and_files',
    storesFiles: settings.body_types === 'json_forms_and_files',
    ...(splitEntries(allowed_origins).length > 0 && { originHeaders: createOriginCheck(allowed_origins) }),
    ...(credentialHeader !== undefined && { credentialHeader }),
  };
}

interface Checks {
  verifyRequest?: (headers: Headers) => string | undefined;
  signature?: VerifySignature;
  credentialHeader?: string;
  challenge?: (headers: Headers) => string | undefined;
}

function createChecks(
  check: CallerCheck,
  settings: CallerSettings,
  secrets: ReadonlyMap<string, SecretValue>,
): Checks {
  const secret = revealSecret(settings.caller_secret ?? '', secrets);
  if (!secret) return refuseAll('The trigger has no secret: enter it in the task, then publish.');
  const revealed = { ...settings, caller_secret: secret };
  switch (check) {
    case 'bearer':
    case 'basic':
    case 'header': {
      const { header, challenge, verify } = createCredentialCheck(check, revealed);
      return { verifyRequest: verify, credentialHeader: header, challenge };
    }
    case 'github':
    case 'stripe':
    case 'shopify':
    case 'standard_webhooks':
    case 'slack':
    case 'hmac':
      return { signature: createSignatureCheck(check, revealed) };
    default:
      // Stored by another version: an unknown check refuses every caller.
      return refuseAll(`The trigger's check ${JSON.stringify(check)} is not supported.`);
  }
}

const refuseAll = (problem: string): Checks => ({
  signature: { verify: () => problem, verifyChunks: async () => problem },
});

const invalidSignature = (problem: string | undefined): AppError | undefined =>
  problem === undefined ? undefined : new AppError('invalid_signature', problem);

/** Undefined where a secret is missing. */
function revealSecret(text: string, secrets: ReadonlyMap<string, SecretValue>): string | undefined {
  let revealed = text;
  for (const { from, to, id } of findPlaceholders(text).reverse()) {
    const value = id === undefined ? undefined : secrets.get(id);
    if (value === undefined) return undefined;
    revealed = revealed.slice(0, from) + String(value) + revealed.slice(to);
  }
  return revealed.trim();
}

const addressNotAllowed = (address: string | undefined): AppError =>
  new AppError(
    'address_not_allowed',
    `The trigger does not accept requests from ${address ?? 'an unknown address'}. Add it to the allowed IP addresses of the task.`,
  );
