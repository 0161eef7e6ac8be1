import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import type { AccountContext } from '#lib/identity/context.ts';
import { accountContext } from '#lib/identity/two-factor/account-context.ts';
import { getRelyingParty, type RelyingParty } from './relying-party.ts';

/** Context of verbs for passkeys. */
export interface PasskeyContext extends AccountContext {
  relyingParty: RelyingParty;
}

/** @throws AppError `conflict` where browsers support no passkeys */
export const passkeyContext = (runtime: ProcessRuntime): PasskeyContext =>
  Object.assign(accountContext(runtime), { relyingParty: getRelyingParty(runtime.baseUrl) });
