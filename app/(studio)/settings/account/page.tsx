import type { Metadata } from 'next';
import { PasswordForm } from '#components/settings/password-form.tsx';
import { PasskeysCard } from '#components/settings/passkeys-card.tsx';
import { SessionsCard } from '#components/settings/sessions-card.tsx';
import { TwoFactorCard } from '#components/settings/two-factor-card.tsx';
import { WorkspacesCard } from '#components/settings/workspaces-card.tsx';
import { env } from '#lib/core/env.ts';
import { requireMember } from '#lib/identity/auth/session.ts';
import { isJustSignedIn } from '#lib/identity/auth/user-sessions.ts';
import { listSessions } from '#lib/identity/auth/own-sessions.ts';
import { findProviderChoice } from '#lib/identity/auth/oidc/oidc-provider.ts';
import { hasRole, ROLE_LABELS } from '#lib/identity/roles/roles.ts';
import { explainNoPasskeys, listPasskeys } from '#lib/identity/passkeys/edit-passkeys.ts';
import { neededProof } from '#lib/identity/passkeys/needed-proof.ts';
import { findTwoFactor } from '#lib/identity/two-factor/find-two-factor.ts';
import {
  addPasskey,
  confirmTwoFactor,
  deletePasskey,
  renamePasskey,
  renewCodes,
  startAdding,
  startTwoFactor,
  switchTwoFactorOff,
} from './actions.ts';
import { switchWorkspace } from '../../actions.ts';
import { createAnother, leave, setPassword, signOutBrowser, signOutElsewhere } from '../actions.ts';

export const metadata: Metadata = { title: 'Your account' };

export default async function AccountPage() {
  const { db, user, memberships, workspaceId } = await requireMember('viewer');
  const providerName = findProviderChoice(env())?.name ?? null;
  const [twoFactor, passkeys, refusal, browsers] = await Promise.all([
    findTwoFactor(db, user.id),
    listPasskeys(db, user.id),
    explainNoPasskeys(db, { user, providerName, baseUrl: env().BASE_URL }),
    listSessions(db, { userId: user.id, sessionId: user.sessionId }),
  ]);
  return (
    <div className="flex flex-col gap-6">
      <PasswordForm email={user.email} hasPassword={user.hasPassword} setPassword={setPassword} />
      <TwoFactorCard
        state={twoFactor}
        hasPassword={user.hasPassword}
        providerName={providerName}
        asksForPassword={!isJustSignedIn(user)}
        start={startTwoFactor}
        confirm={confirmTwoFactor}
        renew={renewCodes}
        switchOff={switchTwoFactorOff}
      />
      <PasskeysCard
        passkeys={passkeys}
        refusal={refusal}
        host={new URL(env().BASE_URL).hostname}
        asksFor={neededProof(user)}
        start={startAdding}
        confirm={addPasskey}
        rename={renamePasskey}
        remove={deletePasskey}
      />
      <SessionsCard browsers={browsers} signOutBrowser={signOutBrowser} signOutElsewhere={signOutElsewhere} />
      <WorkspacesCard
        workspaces={memberships.map(({ id, name, role }) => ({ id, name, roleLabel: ROLE_LABELS[role] }))}
        currentId={workspaceId}
        canCreate={memberships.some(({ role }) => hasRole(role, 'editor'))}
        create={createAnother}
        leave={leave}
        switchTo={switchWorkspace}
      />
    </div>
  );
}
