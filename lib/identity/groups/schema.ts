// Input of group rules: from the form, and from the REST API.
import * as z from 'zod';
import { CONTROLS_IN_NAME, isPlainName } from '#lib/core/plain-name.ts';
import { roleSchema } from '#lib/identity/roles/schema.ts';

const MAX_GROUPS = 200;
const NOBODY = 'Add a group, or select a role for everybody else: nobody could enter.';

const groupRolesSchema = z
  .array(
    z.strictObject({
      group: z
        .string()
        .trim()
        .min(1, 'Enter the name of a group.')
        .max(500, 'Use at most 500 characters.')
        .refine(isPlainName, CONTROLS_IN_NAME)
        .meta({ description: 'As the identity provider writes it.' }),
      role: roleSchema,
    }),
  )
  .max(MAX_GROUPS, `Use at most ${MAX_GROUPS} groups.`)
  .check(({ value, issues }) => {
    const seen = new Set<string>();
    for (const [index, { group }] of value.entries()) {
      if (seen.has(group))
        issues.push({
          code: 'custom',
          path: [index, 'group'],
          message: 'This group is in the list twice.',
          input: group,
        });
      seen.add(group);
    }
  });

export const groupAccessSchema = z
  .strictObject({ groupRoles: groupRolesSchema.readonly(), defaultRole: roleSchema.nullable() })
  .refine(({ groupRoles, defaultRole }) => groupRoles.length > 0 || defaultRole !== null, {
    path: ['groupRoles'],
    message: NOBODY,
  });

/** The same for the REST API. */
export const groupRulesSchema = z
  .strictObject({
    group_roles: groupRolesSchema,
    default_role: roleSchema.nullable().meta({
      description: 'Of those who are in none of the groups; null: no access.',
    }),
  })
  .refine(({ group_roles, default_role }) => group_roles.length > 0 || default_role !== null, {
    path: ['group_roles'],
    message: NOBODY,
  })
  .meta({ id: 'GroupRules' });

export type GroupRules = z.output<typeof groupRulesSchema>;

export const groupDecisionSchema = z
  .strictObject({
    rules: groupRulesSchema.nullable().meta({ description: 'Null: invitations decide.' }),
  })
  .meta({ id: 'GroupAccess' });

export const groupPreviewSchema = z
  .strictObject({
    user_id: z.uuid(),
    email: z.string(),
    role: roleSchema,
    next_role: roleSchema.nullable().meta({ description: 'From the next sign-in on; null: no access.' }),
    group: z.string().nullable().meta({ description: 'What gives the role.' }),
    stays_because: z
      .enum(['break_glass', 'last_owner'])
      .nullable()
      .meta({ description: 'Why someone stays an owner whatever the groups say.' }),
    groups: z
      .array(z.string())
      .nullable()
      .meta({ description: 'At the last sign-in; null: the provider did not provide any.' }),
    signed_in_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'GroupPreview' });
