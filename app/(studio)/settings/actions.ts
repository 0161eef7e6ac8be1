'use server';
import { revalidatePath } from 'next/cache';
import * as z from 'zod';
import { env } from '#lib/core/env.ts';
import { sendTestMail } from '#lib/mail/send-mail.ts';
import { assertMailIsSetUp } from '#lib/mail/transport.ts';
import { createApiKey, revokeApiKey } from '#lib/identity/api-keys/api-keys.ts';
import { apiKeyInputSchema } from '#lib/identity/api-keys/schema.ts';
import { action, idSchema } from '#lib/identity/auth/authorized-action.ts';
import { changePassword } from '#lib/identity/auth/password-reset.ts';
import { endOwnOtherSessions, endOwnSession } from '#lib/identity/auth/own-sessions.ts';
import { changeRole, leaveWorkspace, removeMember } from '#lib/identity/members/members.ts';
import { createInvitation, revokeInvitation } from '#lib/identity/members/invitations.ts';
import { listAuditEntries } from '#lib/identity/audit/list-audit-entries.ts';
import {
  renameWorkspace,
  setNumberMasking,
  requireTwoFactor,
  setWebhookRate,
} from '#lib/identity/workspaces/workspace-settings.ts';
import {
  changePasswordSchema,
  changeRoleSchema,
  newInvitationSchema,
  removeMemberSchema,
} from '#lib/identity/members/schema.ts';
import { assertMayCreateWorkspace, createWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import {
  newWorkspaceSchema,
  numberMaskingSchema,
  twoFactorRequirementSchema,
  webhookRateSchema,
  workspaceNameSchema,
} from '#lib/identity/workspaces/schema.ts';
import { newWorkspaceTimeSchema } from '#lib/identity/schema/time-types.ts';
import { setMessagePrices } from '#lib/messaging/reports/prices.ts';
import { messagePricesSchema } from '#lib/messaging/schema/message-prices.ts';
import { changeWorkspaceTime } from '#lib/workflows/change-workspace-time.ts';
import { deleteSecret as deleteNamedSecret, setSecret } from '#lib/workflows/secrets/secrets.ts';
import { limitRunsSchema } from '#lib/workflows/schema.ts';
import { secretInputSchema } from '#lib/workflows/secrets/schema.ts';
import { setWorkspaceRunLimit } from '#lib/workflows/lifecycle.ts';

const AUDIT_PAGE = 50;

export const rename = action('owner', workspaceNameSchema, async (ctx, input) => {
  await renameWorkspace(ctx, input);
  revalidatePath('/', 'layout');
});

export const createAnother = action('viewer', newWorkspaceSchema, async (ctx, { name, zone }) => {
  assertMayCreateWorkspace(ctx.memberships);
  const made = await createWorkspace(ctx.db, { name, zone, userId: ctx.user.id });
  revalidatePath('/', 'layout');
  return made;
});

export const leave = action('viewer', idSchema, async (ctx, { id }) => {
  await leaveWorkspace(ctx.db, { workspaceId: id, userId: ctx.user.id });
  revalidatePath('/', 'layout');
});

export const maskNumbers = action('owner', numberMaskingSchema, async (ctx, input) => {
  await setNumberMasking(ctx, input);
  revalidatePath('/', 'layout');
});

export const setTwoFactorRequirement = action('owner', twoFactorRequirementSchema, async (ctx, input) => {
  await requireTwoFactor(ctx, input);
  revalidatePath('/settings/members');
});

export const limitWebhooks = action('owner', webhookRateSchema, async (ctx, input) => {
  const rate = await setWebhookRate(ctx, input);
  revalidatePath('/settings/workspace');
  return rate;
});

export const limitWorkspaceRuns = action('owner', limitRunsSchema, async (ctx, input) => {
  const limit = await setWorkspaceRunLimit(ctx, input);
  revalidatePath('/settings/workspace');
  return limit;
});

export const invite = action('owner', newInvitationSchema, async (ctx, input) => {
  if (input.email !== undefined) assertMailIsSetUp(env());
  const made = await createInvitation(ctx, input);
  revalidatePath('/settings/members');
  return made;
});

/** Only to the user's own address, so that the server cannot be used to mail strangers. */
export const testMail = action('owner', z.strictObject({}), (ctx) =>
  sendTestMail(env(), { to: ctx.user.email }),
);

export const withdrawInvitation = action('owner', idSchema, async (ctx, input) => {
  await revokeInvitation(ctx, input);
  revalidatePath('/settings/members');
});

export const setRole = action('owner', changeRoleSchema, async (ctx, input) => {
  await changeRole(ctx, input);
  revalidatePath('/settings/members');
});

export const remove = action('owner', removeMemberSchema, async (ctx, input) => {
  await removeMember(ctx, input);
  revalidatePath('/settings/members');
});

export const createKey = action('owner', apiKeyInputSchema, async (ctx, input) => {
  const made = await createApiKey(ctx, input, { userId: ctx.user.id });
  revalidatePath('/settings/api-keys');
  return { key: made.key };
});

export const revokeKey = action('owner', idSchema, async (ctx, input) => {
  await revokeApiKey(ctx, input);
  revalidatePath('/settings/api-keys');
});

export const addSecret = action('editor', secretInputSchema, async (ctx, input) => {
  await setSecret(ctx, input, 'add');
  revalidatePath('/settings/secrets');
});

export const replaceSecret = action('editor', secretInputSchema, async (ctx, input) => {
  await setSecret(ctx, input, 'replace');
  revalidatePath('/settings/secrets');
});

export const deleteSecret = action('editor', z.strictObject({ name: z.string() }), async (ctx, input) => {
  await deleteNamedSecret(ctx, input);
  revalidatePath('/settings/secrets');
});

export const moreAuditEntries = action(
  'owner',
  z.strictObject({ cursor: z.string() }),
  async (ctx, { cursor }) => listAuditEntries(ctx, { limit: AUDIT_PAGE, cursor }),
);

export const setPassword = action('viewer', changePasswordSchema, (ctx, input) => {
  const { id: userId, sessionId } = ctx.user;
  return changePassword(ctx, { ...input, userId, sessionId });
});

export const signOutElsewhere = action('viewer', z.strictObject({}), async (ctx) => {
  const ended = await endOwnOtherSessions(ctx, { userId: ctx.user.id, sessionId: ctx.user.sessionId });
  revalidatePath('/settings/account');
  return ended;
});

export const signOutBrowser = action('viewer', idSchema, async (ctx, { id }) => {
  await endOwnSession(ctx, { userId: ctx.user.id, id });
  revalidatePath('/settings/account');
});

export const savePrices = action('owner', messagePricesSchema, async (ctx, input) => {
  const saved = await setMessagePrices(ctx, input);
  revalidatePath('/settings/prices');
  return saved;
});

export const saveTime = action('owner', newWorkspaceTimeSchema, async (ctx, input) => {
  const saved = await changeWorkspaceTime(ctx, input);
  revalidatePath('/', 'layout');
  return saved;
});
