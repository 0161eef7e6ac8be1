// Passkeys belong to a host (Web Authentication Level 3, "relying party identifier").
import ipaddr from 'ipaddr.js';
import { AppError } from '#lib/core/errors.ts';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import type { AccountContext } from '#lib/identity/context.ts';
import { accountContext } from '#lib/identity/two-factor/context.ts';

export interface RelyingParty {
  /** The host name of `BASE_URL`. */
  id: string;
  /** Origin of pages that use passkeys. */
  origin: string;
}

/**
 * Null where browsers support no passkeys: they require a host name, not an IP address, and HTTPS, except on `localhost`.
 * @param baseUrl `BASE_URL`
 */
export function findRelyingParty(baseUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(baseUrl);
  const isAddress = ipaddr.isValid(hostname.replace(/^\[|\]$/g, ''));
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  return !isAddress && (protocol === 'https:' || isLocal) ? { id: hostname, origin } : null;
}

/** @throws AppError `conflict` where browsers support no passkeys */
export function getRelyingParty(baseUrl: string): RelyingParty {
  const found = findRelyingParty(baseUrl);
  if (found) return found;
  throw new AppError(
    'conflict',
    'Passkeys need HTTPS and a host name. Ask your administrator to change BASE_URL.',
  );
}

/** Context of verbs for passkeys. */
export interface PasskeyContext extends AccountContext {
  relyingParty: RelyingParty;
}

/** @throws AppError `conflict` where browsers support no passkeys */
export const passkeyContext = (runtime: ProcessRuntime): PasskeyContext =>
  Object.assign(accountContext(runtime), { relyingParty: getRelyingParty(runtime.baseUrl) });
