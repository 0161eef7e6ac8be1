import type { IncomingMessage } from 'node:http';
import { type Bearer, findBearer } from '../identity/bearer.ts';
import type { World } from '../world.ts';
import { GraphError } from '../graph-error.ts';

/** Subcode of an expired token. */
const EXPIRED = 463;

/** The bearer of a call, from the header or `access_token`. Throws 190, with 463 if it is expired. */
export function authenticate(world: World, request: IncomingMessage, query: URLSearchParams): Bearer {
  const token =
    /^(?:Bearer|OAuth) (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? query.get('access_token');
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
