// The one rule for pasted tokens, from the form or the API: what the platform has to confirm before one is stored.
import type { GraphAccess } from '#lib/messaging/platform/graph.ts';
import { inspectToken, type TokenFacts } from '#lib/messaging/platform/inspect-token.ts';
import { findForScreen } from './account-in-reach.ts';
import type { MessagingContext } from './context.ts';
import {
  accountOutOfReach,
  explainRefusedToken,
  tokenOfAnotherApp,
  tokenOfNobody,
} from './token-problems.ts';

/**
 * What the platform says of a token, if it may act for business accounts and is of this app.
 * @throws AppError `invalid_request` with words for a token that is wrong, or of another app; `upstream_failed`
 */
export async function readTokenFacts(access: GraphAccess): Promise<TokenFacts> {
  const { settings } = access;
  const facts = await inspectToken(access).catch((error: unknown) => {
    throw explainRefusedToken(error, settings);
  });
  const { app, type } = facts;
  if (type === 'APP' || type === 'PAGE') throw tokenOfNobody(type === 'APP' ? 'the app itself' : 'a page');
  if (settings.clientId !== undefined && app.id !== '' && app.id !== settings.clientId)
    throw tokenOfAnotherApp(settings, app);
  return facts;
}

/** @throws AppError `invalid_request` where the account does not answer the token; `upstream_failed` */
export async function getAccountInReach(
  ctx: Pick<MessagingContext, 'platform'>,
  accessToken: string,
  businessAccountId: string,
): Promise<{ id: string; name: string | null }> {
  const account = await findForScreen(ctx, accessToken, businessAccountId);
  if (!account) throw accountOutOfReach(businessAccountId);
  return account;
}
