import type { AccountContext } from '#lib/identity/context.ts';
import { recordForAccount } from '#lib/identity/audit/record-for-account.ts';
import type { AccountSession } from './context.ts';
import { withProof } from './prove.ts';
import { replaceCodes } from './recovery-codes.ts';

/**
 * Replaces the recovery codes; the old ones become invalid.
 * @returns the new ones, shown once
 * @throws AppError of `withProof`
 */
export async function renewRecoveryCodes(
  ctx: AccountContext,
  session: AccountSession,
  proof: { password: string; code: string },
): Promise<{ recoveryCodes: string[] }> {
  return withProof(ctx, session, proof, async (tx) => {
    await recordForAccount(tx, {
      account: session,
      actor: session.id,
      action: 'two_factor.recovery_codes_created',
    });
    return { recoveryCodes: await replaceCodes(tx, session.id) };
  });
}
