'use server';
import { revalidatePath } from 'next/cache';
import * as z from 'zod';
import { env } from '#lib/core/env.ts';
import { action } from '#lib/identity/auth/authorized-action.ts';
import { checkIdentityProvider } from '#lib/identity/auth/describe-sign-in-policy.ts';
import { findProviderChoice } from '#lib/identity/auth/oidc/oidc-provider.ts';
import { setGroupAccess } from '#lib/identity/groups/group-access.ts';
import { groupAccessSchema } from '#lib/identity/groups/schema.ts';
import { signInPolicySchema } from '#lib/identity/sign-in-policy/schema.ts';
import { setSignInPolicy } from '#lib/identity/sign-in-policy/set-sign-in-policy.ts';

export const checkProvider = action('owner', z.strictObject({}), () => checkIdentityProvider(env()));

export const saveSignInPolicy = action('owner', signInPolicySchema, async (ctx, input) => {
  const { sessionId } = ctx.user;
  const changed = await setSignInPolicy(ctx, input, {
    issuer: findProviderChoice(env())?.issuer,
    sessionId,
  });
  revalidatePath('/settings/sign-in');
  return changed;
});

export const saveGroupAccess = action(
  'owner',
  z.strictObject({ access: groupAccessSchema.nullable() }),
  async (ctx, { access }) => {
    await setGroupAccess(ctx, access);
    revalidatePath('/settings/sign-in');
  },
);
