import { forwardedAddress } from '#lib/core/http/caller-address.ts';
import type { BrowserFacts } from './user-sessions.ts';

/** The recorded facts about the browser that sent a request. */
export const readBrowser = (headers: Pick<Headers, 'get'>): BrowserFacts => ({
  userAgent: headers.get('user-agent'),
  address: forwardedAddress(headers.get('x-forwarded-for')) ?? null,
});
