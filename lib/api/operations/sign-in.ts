import * as z from 'zod';
import { env } from '#lib/core/env.ts';
import { checkIdentityProvider, describeSignInPolicy } from '#lib/identity/auth/describe-sign-in-policy.ts';
import { findProviderChoice } from '#lib/identity/auth/oidc/oidc-provider.ts';
import { findGroupAccess, setGroupAccess } from '#lib/identity/groups/group-access.ts';
import { previewGroups } from '#lib/identity/groups/preview-groups.ts';
import {
  groupDecisionSchema,
  groupPreviewSchema,
  type GroupRules,
  groupRulesSchema,
} from '#lib/identity/groups/schema.ts';
import type { GroupAccess } from '#lib/identity/groups/role-of-groups.ts';
import { loadGroupPreview } from '#lib/identity/members/load-group-preview.ts';
import {
  changedPolicySchema,
  newPolicySchema,
  policySchema,
  providerCheckSchema,
} from '#lib/identity/sign-in-policy/schema.ts';
import { setSignInPolicy } from '#lib/identity/sign-in-policy/set-sign-in-policy.ts';
import { getTwoFactorRequirement, requireTwoFactor } from '#lib/identity/workspaces/workspace-settings.ts';
import { twoFactorRequirementSchema } from '#lib/identity/workspaces/schema.ts';
import { defineOperation } from '../operation.ts';

const tag = 'Sign-in';

const toAccess = ({ group_roles, default_role }: GroupRules): GroupAccess => ({
  groupRoles: group_roles,
  defaultRole: default_role,
});

const toRules = ({ groupRoles, defaultRole }: GroupAccess): GroupRules => ({
  group_roles: [...groupRoles],
  default_role: defaultRole,
});

export const SIGN_IN_OPERATIONS = [
  defineOperation({
    method: 'GET',
    path: '/sign-in-policy',
    id: 'getSignInPolicy',
    tag,
    scope: 'admin',
    summary:
      'Get how people may sign in to the installation, with its owners and who of them can sign in how.',
    response: policySchema,
    handle: (ctx) => describeSignInPolicy(ctx, env()),
  }),
  defineOperation({
    method: 'PUT',
    path: '/sign-in-policy',
    id: 'setSignInPolicy',
    tag,
    scope: 'admin',
    summary:
      'Set how people may sign in to the installation. Keys of the first workspace may. Refused when no owner could sign in afterwards. When the identity provider becomes required, all sessions that were made with a password end, except those of break-glass owners.',
    body: newPolicySchema,
    response: changedPolicySchema,
    errors: ['conflict'],
    handle: async (ctx, { body }) => {
      const { endedSessions } = await setSignInPolicy(
        ctx,
        {
          requiresIdentity: body.requires_identity,
          trustsEmails: body.trusts_emails,
          accessContact: body.access_contact,
          breakGlassUserIds: body.break_glass_user_ids,
        },
        {
          issuer: findProviderChoice(env())?.issuer,
          sessionId: null,
          listName: 'break_glass_user_ids',
        },
      );
      return { ended_sessions: endedSessions };
    },
  }),
  defineOperation({
    method: 'GET',
    path: '/identity-provider/check',
    id: 'checkIdentityProvider',
    tag,
    scope: 'admin',
    summary: 'Check the identity provider: that it answers, and describes itself as the settings do.',
    response: providerCheckSchema,
    handle: () => checkIdentityProvider(env()),
  }),
  defineOperation({
    method: 'GET',
    path: '/group-access',
    id: 'getGroupAccess',
    tag,
    scope: 'admin',
    summary: 'Get which groups of the identity provider give which roles in the workspace.',
    response: groupDecisionSchema,
    handle: async (ctx) => {
      const access = await findGroupAccess(ctx);
      return { rules: access && toRules(access) };
    },
  }),
  defineOperation({
    method: 'PUT',
    path: '/group-access',
    id: 'setGroupAccess',
    tag,
    scope: 'admin',
    summary:
      'Let groups of the identity provider decide the roles of the workspace from the next sign-ins on, or invitations again. Preview it first. The last owner and break-glass owners stay owners.',
    body: groupDecisionSchema,
    response: groupDecisionSchema,
    handle: async (ctx, { body }) => {
      await setGroupAccess(ctx, body.rules && toAccess(body.rules));
      return body;
    },
  }),
  defineOperation({
    method: 'POST',
    path: '/group-access/preview',
    id: 'previewGroupAccess',
    tag,
    scope: 'admin',
    summary:
      'Preview groups and roles without setting them: what the next sign-in would make of each member whose groups are known.',
    body: groupRulesSchema,
    response: z.strictObject({ data: z.array(groupPreviewSchema) }),
    handle: async (ctx, { body }) => {
      const members = previewGroups({ ...(await loadGroupPreview(ctx)), access: toAccess(body) });
      return {
        data: members.map(({ member, role, group, staysBecause }) => ({
          user_id: member.userId,
          email: member.email,
          role: member.role,
          next_role: role,
          group,
          stays_because: staysBecause,
          groups: member.groups,
          signed_in_at: member.signedInAt,
        })),
      };
    },
  }),
  defineOperation({
    method: 'GET',
    path: '/workspace/two-factor',
    id: 'getTwoFactorRequirement',
    tag,
    scope: 'admin',
    summary: 'Get whether members of the workspace who sign in with a password need a second factor.',
    response: twoFactorRequirementSchema,
    handle: (ctx) => getTwoFactorRequirement(ctx),
  }),
  defineOperation({
    method: 'PUT',
    path: '/workspace/two-factor',
    id: 'setTwoFactorRequirement',
    tag,
    scope: 'admin',
    summary:
      'Set whether members of the workspace who sign in with a password need a second factor. Who has none sets it up at the next sign-in.',
    body: twoFactorRequirementSchema,
    response: twoFactorRequirementSchema,
    handle: async (ctx, { body }) => {
      await requireTwoFactor(ctx, body);
      return body;
    },
  }),
];
