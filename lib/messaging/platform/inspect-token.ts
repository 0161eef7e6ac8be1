// What the platform says of a token: to the app that it was made for, as nobody else may ask there.
import * as z from 'zod';
import { field, objectOf, objectsOf, text, texts } from '#lib/messaging/platform-fields.ts';
import { toText } from '#lib/variables/to-text.ts';
import { asApp, knowsApp } from './app-token.ts';
import { callGraph, type GraphAccess } from './graph.ts';
import { PlatformError } from './platform-error.ts';
import type { PlatformSettings } from './settings.ts';

export interface TokenFacts {
  scopes: string[];
  /** Null: it does not end. */
  expiresAt: Date | null;
  /** Business accounts that the scopes were granted for. */
  accountIds: string[];
}

const number = field((value) => Number(toText(value)) || 0);
const tokenSchema = z.object({
  data: objectOf({
    is_valid: field((value) => value === true),
    error: objectOf({ subcode: number }),
    scopes: texts,
    expires_at: number,
    granular_scopes: objectsOf({ scope: text, target_ids: texts }),
  }),
});

/** Of a token that is not valid. */
const INVALID_TOKEN = 190;

/** @throws PlatformError `token` for one that is not valid */
export async function inspectToken({ settings, accessToken }: GraphAccess): Promise<TokenFacts> {
  const { data } = tokenSchema.parse(await ask(settings, accessToken));
  if (!data.is_valid) {
    const subcode = data.error.subcode || undefined;
    throw new PlatformError('token', { code: INVALID_TOKEN, subcode });
  }
  const grants = data.granular_scopes.filter(({ scope }) => namesAccounts(settings, scope));
  return {
    scopes: data.scopes,
    expiresAt: data.expires_at > 0 ? new Date(data.expires_at * 1000) : null,
    accountIds: [...new Set(grants.flatMap((grant) => grant.target_ids))],
  };
}

/** Those of the product, or as the specification calls them; what `business_management` names are businesses. */
const namesAccounts = ({ product }: PlatformSettings, scope: string): boolean =>
  scope.startsWith(`${product}_business_`) || scope.startsWith('chat_business_');

/** As the app; where the settings do not have one, the token asks about itself. */
function ask(settings: PlatformSettings, accessToken: string) {
  const query = { input_token: accessToken };
  const call = { method: 'GET', path: ['debug_token'], query, secrets: [accessToken] } as const;
  return knowsApp(settings)
    ? asApp(settings, (access) => callGraph(access, call))
    : callGraph({ settings, accessToken }, call);
}
