import { Badge } from '#components/ui/badge.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import {
  type PreviewedMember,
  type PreviewInput,
  previewGroups,
} from '#lib/identity/groups/preview-groups.ts';
import { ROLE_LABELS } from '#lib/identity/roles/roles.ts';

export interface GroupPreviewProps extends PreviewInput {
  ownUserId: string;
  providerName: string;
}

/** Previews the roles of all members with known groups: the user first, then those that change. */
export function GroupPreview({ ownUserId, providerName, ...input }: GroupPreviewProps) {
  const members = previewGroups(input);
  const own = members.find(({ member }) => member.userId === ownUserId);
  const others = members.filter(({ member }) => member.userId !== ownUserId);
  const changed = others.filter(({ member, role }) => role !== member.role);
  return (
    <section aria-label="Preview" className="rounded-md border border-line px-4 py-3">
      <h3 className="text-sm font-medium">Preview</h3>
      {own ? (
        <p className="mt-1">
          {own.member.groups === null
            ? `At your last sign-in, ${providerName} sent no groups: `
            : `With your groups (${own.member.groups.join(', ') || 'none'}) `}
          {own.role === null ? (
            <strong className="font-medium text-danger">you would lose access.</strong>
          ) : (
            <>
              you would be <strong className="font-medium">{ROLE_LABELS[own.role]}</strong>
              {whyOf(own)}.
            </>
          )}
        </p>
      ) : (
        <p className="mt-1 text-muted">
          You have not signed in with {providerName} yet. Sign in with it once to see the role that your
          groups get.
        </p>
      )}
      {changed.length > 0 && (
        <ul className="mt-2 flex flex-col gap-1.5">
          {changed.map(({ member, ...next }) => (
            <li key={member.userId} className="flex flex-wrap items-center gap-x-2">
              <span className="break-all">{member.email}</span>
              <Badge tone={next.role === null ? 'danger' : 'warning'}>
                {ROLE_LABELS[member.role]} → {next.role === null ? 'no access' : ROLE_LABELS[next.role]}
              </Badge>
              {member.signedInAt && (
                <span className="text-sm text-muted">
                  groups of <RelativeTime at={member.signedInAt} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      <p className="mt-2 text-sm text-muted">{describeOthers(others.length, changed.length)}</p>
    </section>
  );
}

function describeOthers(known: number, changed: number): string {
  if (known === 0) return 'Nobody else has signed in with the provider yet.';
  if (changed === 0)
    return known === 1
      ? 'The other member’s role would stay the same.'
      : `The roles of the ${known} other members with known groups would stay the same.`;
  return known === changed ? '' : `${known - changed} more would keep their role.`;
}

function whyOf({ staysBecause, group }: PreviewedMember): string {
  if (staysBecause === 'break_glass') return ', as you are a break-glass owner';
  if (staysBecause === 'last_owner') return ', as you are the only owner';
  return group === null ? ', like everybody else' : `, by the group ${group}`;
}
