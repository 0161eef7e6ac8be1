// A trigger's rules for callers, ready to be checked: compiled once per version and cached.
import { AppError, type ErrorCode } from '#lib/core/errors.ts';
import { isSecretName } from '#lib/core/secret-names.ts';
import { findPlaceholders, MASK } from '#lib/secrets/placeholder-format.ts';
import type { SecretValue } from '#lib/secrets/setting-secret.ts';
import type { WebhookRequest } from '../types.ts';
import { createAddressCheck, splitEntries } from './allowed-addresses.ts';
import { createOriginCheck } from './allowed-origins.ts';
import { type CallerCheck, type CallerSettings, callerSettingsShape } from './caller-settings.ts';
import { CallerRefusal } from './caller-refusal.ts';
import { createCredentialCheck } from './verify-credentials.ts';
import { createSignatureCheck, type VerifySignature } from './verify-signature.ts';

type Headers = Readonly<Record<string, string>>;

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
