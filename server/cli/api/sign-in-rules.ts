// Sign-in rules as a file: owners are in it by email address, so that it is valid on another installation.
import * as z from 'zod';
import type { ApiSchemas } from '#lib/api/client/create-api-client.ts';
import { ApiError } from './api.ts';

type Policy = ApiSchemas['SignInPolicy'];
export type GroupRules = ApiSchemas['GroupRules'];
export type Preview = ApiSchemas['GroupPreview'];

export interface Rules {
  requires_identity: boolean;
  trusts_emails: boolean;
  access_contact: string;
  break_glass_owners: string[];
  /** Null: invitations decide. */
  groups: GroupRules | null;
  two_factor_required: boolean;
}

const role = z.enum(['owner', 'editor', 'viewer']);

/** Missing fields keep their value. The API checks the rest. */
const fileSchema = z
  .strictObject({
    requires_identity: z.boolean(),
    trusts_emails: z.boolean(),
    access_contact: z.string(),
    break_glass_owners: z.array(z.string().toLowerCase()),
    groups: z
      .strictObject({
        group_roles: z.array(z.strictObject({ group: z.string(), role })),
        default_role: role.nullable(),
      })
      .nullable(),
    two_factor_required: z.boolean(),
  })
  .partial();

/** @throws ApiError with the problem and its location in the file */
export function readRules(text: string, file: string): Partial<Rules> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new ApiError(`${file} is not JSON: ${(error as Error).message}`);
  }
  const parsed = fileSchema.safeParse(json);
  if (!parsed.success) throw new ApiError(`${file}:\n${z.prettifyError(parsed.error)}`);
  return Object.fromEntries(Object.entries(parsed.data).filter(([, value]) => value !== undefined));
}

export interface Current {
  policy: Policy;
  groups: GroupRules | null;
  twoFactorRequired: boolean;
}

export const toRules = ({ policy, groups, twoFactorRequired }: Current): Rules => ({
  requires_identity: policy.requires_identity,
  trusts_emails: policy.trusts_emails,
  access_contact: policy.access_contact,
  break_glass_owners: (policy.owners ?? [])
    .filter(({ is_break_glass, has_password }) => is_break_glass && has_password)
    .map(({ email }) => email),
  groups,
  two_factor_required: twoFactorRequired,
});

/** Which rules a file changes, in the order of the file's fields. */
export function findChanges(before: Rules, after: Rules): (keyof Rules)[] {
  const names = Object.keys(before) as (keyof Rules)[];
  return names.filter((name) => comparable(before[name]) !== comparable(after[name]));
}

/** The order of lists does not matter. */
const comparable = (value: Rules[keyof Rules]): string =>
  JSON.stringify(value, (_, part: unknown) =>
    Array.isArray(part) ? part.map((each) => JSON.stringify(each)).sort() : part,
  );

/** @throws ApiError for an address that is no owner's */
export function idsOfOwners({ owners }: Policy, emails: readonly string[]): string[] {
  return emails.map((email) => {
    const owner = owners?.find((each) => each.email === email);
    if (owner) return owner.user_id;
    throw new ApiError(`break_glass_owners: ${email} is not an owner of the first workspace.`);
  });
}

export const losesAccess = ({ next_role }: Preview): boolean => next_role === null;

/** One line for each member whose role would change. */
export const describePreview = (members: readonly Preview[]): string[] =>
  members
    .filter(({ role: before, next_role }) => before !== next_role)
    .map(({ email, role: before, next_role, group }) => {
      const why = group === null ? '' : ` (group ${group})`;
      return `${email}: ${before} → ${next_role ?? 'no access'}${why}`;
    });

export function describeRules(rules: Rules, { provider }: Policy): string[] {
  const yes = (value: boolean) => (value ? 'yes' : 'no');
  const { groups } = rules;
  return [
    `identity provider: ${provider ? `${provider.name} (${provider.issuer})` : 'none'}`,
    `required: ${yes(rules.requires_identity)}`,
    `its email addresses are trusted: ${yes(rules.trusts_emails)}`,
    `break-glass owners: ${rules.break_glass_owners.join(', ') || 'none'}`,
    `contact for access: ${rules.access_contact || 'none'}`,
    `two-factor sign-in required: ${yes(rules.two_factor_required)}`,
    ...(groups === null
      ? ['groups: invitations decide']
      : [
          ...groups.group_roles.map(({ group, role: given }) => `group ${group}: ${given}`),
          `everybody else: ${groups.default_role ?? 'no access'}`,
        ]),
  ];
}
