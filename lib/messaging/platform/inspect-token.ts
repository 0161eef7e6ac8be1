// Queries the platform's data about a token, as the app that it was issued for: only that app may.
import * as z from 'zod';
import { field, objectOf, objectsOf, text, textOrNull, texts } from '#lib/messaging/platform-fields.ts';
import { toText } from '#lib/variables/to-text.ts';
import { asApp, callGraph, type GraphAccess, knowsApp } from './graph.ts';
import { PlatformError } from './platform-error.ts';
import type { PlatformSettings } from './settings.ts';

export interface TokenFacts {
  /** The app that it was issued for; empty: unknown. */
  app: { id: string; name: string };
  /** Its kind of owner, by the platform's names: `USER`, `SYSTEM_USER`, …; null: unknown. */
  type: string | null;
  scopes: string[];
  /** Null: it does not expire; undefined: unknown. */
  expiresAt: Date | null | undefined;
  /** Business accounts that the scopes were granted for. */
  accountIds: string[];
}

const number = field((value) => Number(toText(value)) || 0);
const instant = field((value) => (value === undefined ? undefined : Number(toText(value)) || 0));
const tokenSchema = z.object({
  data: objectOf({
    app_id: text,
    application: text,
    type: textOrNull,
    is_valid: field((value) => value === true),
    error: objectOf({ subcode: number }),
    scopes: texts,
    expires_at: instant,
    granular_scopes: objectsOf({ scope: text, target_ids: texts }),
  }),
});

/** For an invalid token. */
const INVALID_TOKEN = 190;

/** @throws PlatformError `token` for an invalid one */
export async function inspectToken({ settings, accessToken }: GraphAccess): Promise<TokenFacts> {
  const { data } = tokenSchema.parse(await ask(settings, accessToken));
  if (!data.is_valid) {
    const subcode = data.error.subcode || undefined;
    throw new PlatformError('token', { code: INVALID_TOKEN, subcode });
  }
  const { expires_at: endsAt } = data;
  const grants = data.granular_scopes.filter(({ scope }) => namesAccounts(settings, scope));
  return {
    app: { id: data.app_id, name: data.application },
    type: data.type,
    scopes: data.scopes,
    expiresAt: endsAt === undefined ? undefined : endsAt === 0 ? null : new Date(endsAt * 1000),
    accountIds: [...new Set(grants.flatMap((grant) => grant.target_ids))],
  };
}

/** The product's scopes, or the specification's names of them; the targets of `business_management` are businesses. */
const namesAccounts = ({ product }: PlatformSettings, scope: string): boolean =>
  scope.startsWith(`${product}_business_`) || scope.startsWith('chat_business_');

/** As the app; without one in the settings, with the token itself. */
function ask(settings: PlatformSettings, accessToken: string) {
  const query = { input_token: accessToken };
  const call = { method: 'GET', path: ['debug_token'], query, secrets: [accessToken] } as const;
  return knowsApp(settings)
    ? asApp(settings, (access) => callGraph(access, call))
    : callGraph({ settings, accessToken }, call);
}
