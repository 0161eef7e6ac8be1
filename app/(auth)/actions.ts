'use server';
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import * as z from 'zod';
import { processRuntime } from '#lib/core/process-runtime.ts';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import { addressOf } from '#lib/identity/auth/sign-in-attempts.ts';
import { openAction } from '#lib/identity/auth/authorized-action.ts';
import { chooseWorkspace, signOutHere } from '#lib/identity/auth/workspace-cookie.ts';
import {
  assertSetupCode,
  createFirstOwner,
  createInvitedAccount,
  hasOwner,
  isFirstStart,
  needsSetupCode,
} from '#lib/identity/auth/create-account.ts';
import { PASSKEY_COOKIE, passkeyCookieOptions } from '#lib/identity/auth/passkey-provider.ts';
import { requestPasswordReset, usePasswordReset } from '#lib/identity/auth/password-reset.ts';
import { assertMailIsSetUp } from '#lib/mail/transport.ts';
import { findUser } from '#lib/identity/auth/session.ts';
import { env } from '#lib/core/env.ts';
import { AppError } from '#lib/core/errors.ts';
import { acceptInvitation } from '#lib/identity/members/invitations.ts';
import {
  emailSchema,
  type NewAccount,
  newAccountSchema,
  newPasswordSchema,
} from '#lib/identity/members/schema.ts';
import { getRelyingParty } from '#lib/identity/passkeys/relying-party.ts';
import { browserZone } from '#lib/identity/workspaces/schema.ts';
import { startPasskeySignIn } from '#lib/identity/passkeys/sign-in-with-passkey.ts';

const tokenSchema = z.string().max(100);

const newOwnerSchema = newAccountSchema.extend({
  setupCode: z.string().max(100).optional(),
  zone: browserZone,
});

export const createOwner = openAction(newOwnerSchema, async ({ setupCode = '', ...account }) => {
  const { db } = await processRuntime();
  const settings = env();
  if (!(await isFirstStart(db))) throw hasOwner();
  if (needsSetupCode(settings, (await headers()).get('host')))
    assertSetupCode(settings.AUTH_SECRET ?? '', setupCode);
  await createFirstOwner(db, account);
});

const createInvitedWith = openAction(newAccountSchema.extend({ token: tokenSchema }), async (input) => {
  const { workspaceId } = await createInvitedAccount((await processRuntime()).db, input);
  await chooseWorkspace(workspaceId);
});

/** The token comes first, so that the page can bind it. */
export async function createInvited(token: string, account: NewAccount): Promise<ActionResult<void>> {
  return createInvitedWith({ ...account, token });
}

export const requestReset = openAction(z.strictObject({ email: emailSchema }), async ({ email }) => {
  assertMailIsSetUp(env());
  const address = addressOf((await headers()).get('x-forwarded-for'));
  await requestPasswordReset(await processRuntime(), { email, address });
});

const setPasswordWith = openAction(newPasswordSchema.extend({ token: tokenSchema }), async (input) =>
  usePasswordReset((await processRuntime()).db, input),
);

/** The token comes first, so that the page can bind it. */
export async function setNewPassword(
  token: string,
  input: { password: string },
): Promise<ActionResult<{ email: string }>> {
  // Direct callers of the action may omit any field.
  return setPasswordWith({ ...input, token });
}

export const joinWorkspace = openAction(z.strictObject({ token: tokenSchema }), async ({ token }) => {
  const user = await findUser();
  if (!user) throw new AppError('unauthorized', 'You are signed out. Sign in again.');
  await chooseWorkspace(await acceptInvitation((await processRuntime()).db, { token, userId: user.id }));
  redirect('/workflows');
});

/** Back to an invitation for another account. */
export const signOutToJoin = openAction(z.strictObject({ token: tokenSchema }), async ({ token }) => {
  await signOutHere();
  redirect(`/invitations/${encodeURIComponent(token)}`);
});

export const startPasskey = openAction(z.strictObject({}), async () => {
  const { secrets, baseUrl } = await processRuntime();
  const started = startPasskeySignIn({ secrets, relyingParty: getRelyingParty(baseUrl) });
  (await cookies()).set(PASSKEY_COOKIE, started.sealed, passkeyCookieOptions(env()));
  return started.options;
});
