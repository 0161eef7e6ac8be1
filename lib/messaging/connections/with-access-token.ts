import { setTimeout as wait } from 'node:timers/promises';
import { explainToken } from '#lib/messaging/platform/error-table.ts';
import type { GraphAccess } from '#lib/messaging/platform/graph.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import { noteCallTrouble } from '#lib/messaging/troubles/note-trouble.ts';
import { getAccessToken, markNeedsReconnecting } from './access-token.ts';
import type { MessagingContext } from './context.ts';

/** Before the same token is tried again. */
const PAUSE_MS = 500;

/** Whether the platform refused a call because of its token: nothing was done. */
export const isRefusedToken = (error: unknown): error is PlatformError =>
  error instanceof PlatformError && error.kind === 'token';

/** @param revision of the tokens that it is called with */
type CallWithToken<Result> = (access: GraphAccess, revision: number) => Promise<Result>;

/**
 * Calls the platform with a connection's token. After a refusal (190) the call is repeated once, with a new token if it can be
 * refreshed: nothing was done by a call that was refused. Refused again, the connection has to be reconnected.
 * @throws ConnectionError, PlatformError, AppError `not_found`
 */
export async function withAccessToken<Result>(
  ctx: MessagingContext,
  connectionId: string,
  call: CallWithToken<Result>,
): Promise<Result> {
  try {
    return await callTwice(ctx, connectionId, call);
  } catch (error) {
    await noteCallTrouble(ctx, connectionId, error);
    throw error;
  }
}

async function callTwice<Result>(
  ctx: MessagingContext,
  connectionId: string,
  call: CallWithToken<Result>,
): Promise<Result> {
  const settings = ctx.platform;
  const first = await getAccessToken(ctx, connectionId);
  try {
    return await call({ settings, accessToken: first.accessToken }, first.revision);
  } catch (error) {
    if (!isRefusedToken(error)) throw error;
  }
  const second = await getAccessToken(ctx, connectionId, first.revision);
  const isNew = second.revision !== first.revision;
  if (!isNew) await wait(PAUSE_MS);
  try {
    return await call({ settings, accessToken: second.accessToken }, second.revision);
  } catch (error) {
    if (isRefusedToken(error)) await markNeedsReconnecting(ctx, second.row, reasonOf(error, isNew));
    throw error;
  }
}

const reasonOf = ({ facts }: PlatformError, isNew: boolean): string =>
  explainToken(facts.subcode) ??
  (isNew
    ? 'The platform refuses its access token, even a new one.'
    : 'The platform refuses its access token.');
