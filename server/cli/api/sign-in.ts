// `patchbay sign-in …`.
import { readFileSync, statSync } from 'node:fs';
import type { Output } from '../output.ts';
import { type Api, ApiError, take } from './api.ts';
import {
  type Current,
  describePreview,
  describeRules,
  findChanges,
  idsOfOwners,
  losesAccess,
  type Preview,
  readRules,
  type Rules,
  toRules,
} from './sign-in-rules.ts';

export interface ApplyRulesOptions {
  dryRun?: boolean;
  /** Also when members lose access. */
  yes?: boolean;
}

async function load(api: Api): Promise<Current> {
  const [policy, groups, twoFactor] = await Promise.all([
    take(api, api.client.GET('/sign-in-policy')),
    take(api, api.client.GET('/group-access')),
    take(api, api.client.GET('/workspace/two-factor')),
  ]);
  return { policy, groups: groups.rules, twoFactorRequired: twoFactor.required };
}

/** With `--json` the output can be read by `applyRules`. */
export async function showRules(api: Api, output: Output): Promise<void> {
  const current = await load(api);
  const rules = toRules(current);
  output.give(rules, describeRules(rules, current.policy));
}

/** @returns whether the identity provider matches the settings */
export async function checkProvider(api: Api, output: Output): Promise<boolean> {
  const check = await take(api, api.client.GET('/identity-provider/check'));
  output.give(check, [check.message, ...check.notes]);
  return check.ok;
}

/**
 * Changes the rules that differ in the file. Groups are previewed first. @throws ApiError before any change when members would
 * lose access without confirmation
 */
export async function applyRules(
  api: Api,
  file: string,
  { dryRun = false, yes = false }: ApplyRulesOptions,
  output: Output,
): Promise<void> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new ApiError(`There is no file ${file}.`);
  const given = readRules(readFileSync(file, 'utf8'), file);
  const current = await load(api);
  const before = toRules(current);
  const after = { ...before, ...given };
  const changed = findChanges(before, after);
  const breakGlassUserIds = idsOfOwners(current.policy, after.break_glass_owners);
  const members = changed.includes('groups') ? await preview(api, after) : [];
  const lines = describePreview(members);
  const losers = members.filter(losesAccess);
  if (!dryRun && !yes && losers.length > 0)
    throw new ApiError(
      [
        `${losers.length} would lose access at the next sign-in. To change it anyway, add --yes.`,
        ...lines,
      ].join('\n'),
    );
  if (!dryRun) await change(api, changed, after, breakGlassUserIds);
  const verb = dryRun ? 'would change' : 'changed';
  output.give({ changed, members, dry_run: dryRun }, [
    ...(changed.length === 0 ? ['unchanged'] : changed.map((name) => `${name}: ${verb}`)),
    ...lines,
  ]);
}

async function preview(api: Api, { groups }: Rules): Promise<Preview[]> {
  if (groups === null) return [];
  return (await take(api, api.client.POST('/group-access/preview', { body: groups }))).data;
}

/** The policy is last: it may end sessions. */
async function change(
  api: Api,
  changed: readonly (keyof Rules)[],
  rules: Rules,
  breakGlassUserIds: string[],
): Promise<void> {
  if (changed.includes('two_factor_required'))
    await take(
      api,
      api.client.PUT('/workspace/two-factor', { body: { required: rules.two_factor_required } }),
    );
  if (changed.includes('groups'))
    await take(api, api.client.PUT('/group-access', { body: { rules: rules.groups } }));
  const { requires_identity, trusts_emails, access_contact } = rules;
  if (changed.some((name) => name !== 'groups' && name !== 'two_factor_required'))
    await take(
      api,
      api.client.PUT('/sign-in-policy', {
        body: { requires_identity, trusts_emails, access_contact, break_glass_user_ids: breakGlassUserIds },
      }),
    );
}
