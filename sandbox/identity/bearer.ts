import type { World } from '../world.ts';

/** The caller and its rights. Instants in seconds, on the sandbox's clock. */
export type Bearer = {
  /** `app`: the app itself, with `{id}|{secret}`; `system_user`: a token that does not expire. */
  kind: 'user' | 'system_user' | 'app';
  token: string;
  accountId: string;
  scopes: string[];
  issuedAt: number;
  /** Infinity: it does not expire. */
  expiresAt: number;
  expired: boolean;
};

/** Stored lifetime of tokens that do not expire. */
export const ENDLESS_SECONDS = 100 * 365 * 86_400;

/** The grant of an access token, or null if it was never issued, or was revoked. */
export function findBearer(world: Pick<World, 'tokens' | 'clock' | 'options'>, token: string): Bearer | null {
  const { tokens, clock, options } = world;
  if (token === `${options.client.id}|${options.client.secret}`) {
    const rest = { accountId: 'app', scopes: [], issuedAt: 0, expiresAt: Infinity, expired: false };
    return { kind: 'app', token, ...rest };
  }
  const payload = tokens.get('AccessToken', token);
  if (!payload?.accountId || payload.exp === undefined) return null;
  const offsetSeconds = Math.floor(clock.offsetMs / 1000);
  const issuedAt = (payload.iat ?? 0) + offsetSeconds;
  const isEndless = payload.exp - (payload.iat ?? 0) >= ENDLESS_SECONDS;
  const expiresAt = isEndless ? Infinity : payload.exp + offsetSeconds;
  return {
    kind: isEndless ? 'system_user' : 'user',
    token,
    accountId: payload.accountId,
    scopes: (payload.scope ?? '').split(' ').filter((scope) => scope !== ''),
    issuedAt,
    expiresAt,
    expired: expiresAt <= clock.nowSeconds(),
  };
}
