import type { World } from '../world.ts';

/** Who calls with which rights. Instants in seconds, on the sandbox's clock. */
export type Bearer = {
  token: string;
  accountId: string;
  scopes: string[];
  issuedAt: number;
  expiresAt: number;
  expired: boolean;
};

/** What an access token stands for, or null if it was never issued, or was revoked. */
export function findBearer({ tokens, clock }: World, token: string): Bearer | null {
  const payload = tokens.get('AccessToken', token);
  if (!payload?.accountId || payload.exp === undefined) return null;
  const offsetSeconds = Math.floor(clock.offsetMs / 1000);
  const expiresAt = payload.exp + offsetSeconds;
  return {
    token,
    accountId: payload.accountId,
    scopes: (payload.scope ?? '').split(' ').filter((scope) => scope !== ''),
    issuedAt: (payload.iat ?? 0) + offsetSeconds,
    expiresAt,
    expired: expiresAt <= clock.nowSeconds(),
  };
}
