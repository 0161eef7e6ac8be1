// The creator of the first account owns the installation. Where it is reachable from other machines, that requires a code
// that is printed at the start (docs/decisions/first-start.md).
import { createHmac } from 'node:crypto';
import { isSameSecret } from '#lib/core/crypto/token.ts';
import type { Settings } from '#lib/core/env.ts';
import { AppError } from '#lib/core/errors.ts';
import { isLoopbackHost, listenHosts } from '#lib/core/http/listen-hosts.ts';

const CODE_BYTES = 10;

/**
 * The installation's code, such as `1f3a-90bc-…` (80 bits). All processes derive the same one from AUTH_SECRET; it is useless
 * once there is an owner.
 */
export function setupCodeOf(authSecret: string): string {
  const hex = createHmac('sha256', authSecret).update('setup-code').digest('hex');
  return (hex.slice(0, CODE_BYTES * 2).match(/.{4}/g) ?? []).join('-');
}

/**
 * Whether the first account needs the code: unless Patchbay listens on loopback only, for this machine only, and the
 * request's host is loopback (which a website cannot achieve by DNS rebinding).
 * @param requestHost the request's `Host`, with or without a port; left out: any
 */
export function needsSetupCode(
  { HOST, BASE_URL, TRUST_PROXY }: Pick<Settings, 'HOST' | 'BASE_URL' | 'TRUST_PROXY'>,
  requestHost?: string | null,
): boolean {
  if (TRUST_PROXY !== 'off') return true;
  const hosts = [...listenHosts(HOST), new URL(BASE_URL).hostname];
  if (requestHost !== undefined) hosts.push((requestHost ?? '').replace(/:\d+$/, ''));
  return !hosts.every(isLoopbackHost);
}

/** @throws AppError `invalid_request` with the problem at `setupCode` */
export function assertSetupCode(authSecret: string, given: string): void {
  const toDigits = (code: string): string => code.toLowerCase().replace(/[^0-9a-f]/g, '');
  if (isSameSecret(toDigits(given), toDigits(setupCodeOf(authSecret)))) return;
  const message =
    'Enter the setup code that Patchbay printed when it started. Restart it to see the code again.';
  throw new AppError('invalid_request', message, { problems: [{ path: 'setupCode', message }] });
}
