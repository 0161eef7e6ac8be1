import type { NoGroupAccess } from '#lib/identity/groups/group-access.ts';

const SHOWN = 20;

/** For users whose groups give no access to any workspace. */
export const NoGroup = ({
  accessContact,
  groups,
  email,
  providerName,
}: NoGroupAccess & { email: string; providerName: string }) => (
  <div className="mt-1 flex flex-col gap-3 text-muted">
    <p>
      You are signed in as {email}. Ask{' '}
      {accessContact ? (
        <strong className="font-medium break-words text-ink">{accessContact}</strong>
      ) : (
        'an owner of your workspace or whoever manages groups in your company'
      )}{' '}
      to add you to a group. Then sign out and sign in again.
    </p>
    <p className="break-words">
      {groups === null || groups.length === 0
        ? `At your last sign-in, ${providerName} sent no groups.`
        : `Your groups at your last sign-in: ${groups.slice(0, SHOWN).join(', ')}${groups.length > SHOWN ? ` and ${groups.length - SHOWN} more` : ''}.`}
    </p>
  </div>
);
