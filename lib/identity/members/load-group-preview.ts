import type { Context } from '#lib/identity/context.ts';
import { listBreakGlassOwners } from '#lib/identity/sign-in-policy/sign-in-policy.ts';
import { listKnownGroups } from '#lib/identity/groups/group-access.ts';
import type { PreviewInput } from '#lib/identity/groups/preview-groups.ts';
import { listMembers } from './members.ts';

/** The data that a preview of groups and roles needs besides the rules. */
export async function loadGroupPreview(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
): Promise<Omit<PreviewInput, 'access'>> {
  const [known, members, breakGlass] = await Promise.all([
    listKnownGroups(ctx),
    listMembers(ctx),
    listBreakGlassOwners(ctx.db),
  ]);
  return {
    known,
    ownerCount: members.filter(({ role }) => role === 'owner').length,
    breakGlassUserIds: breakGlass.map(({ userId }) => userId),
  };
}
