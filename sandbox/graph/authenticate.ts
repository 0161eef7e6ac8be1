import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Bearer, findBearer } from '../identity/bearer.ts';
import { type DemoAccount, findDemoAccount } from '../identity/demo-accounts.ts';
import type { World } from '../world.ts';
import { GraphError, invalidParameter } from '../graph-error.ts';

/** Subcode of an expired token. */
const EXPIRED = 463;

/** An app has no role anywhere: it may ask about tokens and about its own subscriptions. */
const APP: DemoAccount = {
  id: 'app',
  name: 'Sandbox app',
  email: '',
  about: '',
  businessIds: [],
  groups: [],
};

/**
 * The bearer of a call, from the header or `access_token`, which is taken out of the query. Throws 190, with 463 if it is
 * expired.
 */
export function authenticate(world: World, request: IncomingMessage, query: URLSearchParams): Bearer {
  const token =
    /^(?:Bearer|OAuth) (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? query.get('access_token');
  query.delete('access_token');
  if (!token) {
    throw new GraphError(190, '', {
      message: '(#190) An access token is required to request this resource.',
    });
  }
  const bearer = findBearer(world, token);
  if (!bearer)
    throw new GraphError(190, '', {
      message: '(#190) Invalid OAuth access token - Cannot parse access token',
    });
  if (bearer.expired) {
    const ended = new Date(bearer.expiresAt * 1000).toUTCString();
    throw new GraphError(190, '', {
      subcode: EXPIRED,
      message: `(#190) Error validating access token: Session has expired on ${ended}.`,
    });
  }
  return bearer;
}

/** Who calls. Throws 190. */
export function findCaller(bearer: Bearer): DemoAccount {
  const user = bearer.kind === 'app' ? APP : findDemoAccount(bearer.accountId);
  if (!user) throw new GraphError(190, 'The account of this token no longer exists.');
  return user;
}

/**
 * Checks `appsecret_proof` (HMAC-SHA256 of the token with the app secret, in hexadecimal), and takes it out of query and
 * body. Throws 100 if it is wrong, or missing where the app requires it.
 */
export function assertProof(
  world: World,
  { token }: Bearer,
  query: URLSearchParams,
  body: Record<string, unknown>,
): void {
  const proof = query.get('appsecret_proof') ?? body['appsecret_proof'];
  query.delete('appsecret_proof');
  delete body['appsecret_proof'];
  if (proof === undefined) {
    if (world.settings.require_app_secret)
      throw invalidParameter('API calls from the server require an appsecret_proof argument');
    return;
  }
  const expected = createHmac('sha256', world.options.client.secret).update(token).digest('hex');
  if (proof !== expected) throw invalidParameter('Invalid appsecret_proof provided in the API argument');
}
