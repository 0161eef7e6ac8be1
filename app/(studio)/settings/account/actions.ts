'use server';
// Also for users who have to set up a second factor before they can use a workspace: they are not members yet.
import type { AccountContext } from '#lib/identity/context.ts';
import * as z from 'zod';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { AppError } from '#lib/core/errors.ts';
import { accountContext } from '#lib/identity/two-factor/context.ts';
import { openAction } from '#lib/identity/auth/authorized-action.ts';
import { findUser, type SignedInUser } from '#lib/identity/auth/session.ts';
import { isJustSignedIn } from '#lib/identity/auth/user-sessions.ts';
import { confirmPasskey, startAddingPasskey } from '#lib/identity/passkeys/add-passkey.ts';
import { passkeyContext } from '#lib/identity/passkeys/relying-party.ts';
import {
  deletePasskey as deleteOwnPasskey,
  renamePasskey as renameOwnPasskey,
} from '#lib/identity/passkeys/edit-passkeys.ts';
import {
  confirmPasskeySchema,
  deletePasskeySchema,
  renamePasskeySchema,
  startPasskeySchema,
} from '#lib/identity/passkeys/schema.ts';
import {
  confirmSetUp,
  confirmSetUpSchema,
  drawQr,
  proofSchema,
  renewRecoveryCodes,
  startSetUp,
  startSetUpSchema,
  switchOff,
} from '#lib/identity/two-factor/change-two-factor.ts';
import { countRecoveryCodes } from '#lib/identity/two-factor/recovery-codes.ts';

export const startTwoFactor = openAction(startSetUpSchema, async ({ password }) => {
  const { ctx, user } = await signedIn();
  const { key, uri } = await startSetUp(ctx, user, { password: isJustSignedIn(user) ? null : password });
  return { setupKey: key, qr: drawQr(uri) };
});

export const confirmTwoFactor = openAction(confirmSetUpSchema, async (input) => {
  const { ctx, user } = await signedIn();
  return confirmSetUp(ctx, user, input);
});

export const renewCodes = openAction(proofSchema, async (proof) => {
  const { ctx, user } = await signedIn();
  return renewRecoveryCodes(ctx, user, proof);
});

export const switchTwoFactorOff = openAction(proofSchema, async (proof) => {
  const { ctx, user } = await signedIn();
  await switchOff(ctx, user, proof);
});

export const countCodesLeft = openAction(z.strictObject({}), async () => {
  const { ctx, user } = await signedIn();
  return { left: await countRecoveryCodes(ctx.db, user.id) };
});

export const startAdding = openAction(startPasskeySchema, async (input) => {
  const { user } = await signedIn();
  return startAddingPasskey(passkeyContext(await processRuntime()), user, input);
});

export const addPasskey = openAction(confirmPasskeySchema, async (input) => {
  const { user } = await signedIn();
  await confirmPasskey(passkeyContext(await processRuntime()), user, input);
});

export const renamePasskey = openAction(renamePasskeySchema, async (input) => {
  const { ctx, user } = await signedIn();
  await renameOwnPasskey(ctx, user, input);
});

export const deletePasskey = openAction(deletePasskeySchema, async (input) => {
  const { ctx, user } = await signedIn();
  await deleteOwnPasskey(ctx, user, input);
});

async function signedIn(): Promise<{ ctx: AccountContext; user: SignedInUser }> {
  const user = await findUser();
  if (!user) throw new AppError('unauthorized', 'You are signed out. Sign in again.');
  return { ctx: accountContext(await processRuntime()), user };
}
