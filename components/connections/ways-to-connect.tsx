import { KeyRound } from 'lucide-react';
import Link from 'next/link';
import { HelpLink } from '#components/help/help-link.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { Callout } from '#components/ui/callout.tsx';
import type { SignInSetup } from '#lib/screens/connection-types.ts';
import { ConnectButton, type StartLogin } from './connect-button.tsx';

/** Both ways to connect an account, the one that works first. */
export function WaysToConnect({ signIn, startLogin }: { signIn: SignInSetup; startLogin: StartLogin }) {
  if (signIn === 'missing')
    return (
      <>
        <TokenLink isPrimary />
        <ConnectButton startLogin={startLogin} label="Sign in at the platform" variant="secondary" />
      </>
    );
  return (
    <>
      <ConnectButton startLogin={startLogin} />
      <TokenLink />
    </>
  );
}

/** Shown before the click: the platform's page with the refusal has no way back. */
export function SignInNotice({ signIn }: { signIn: SignInSetup }) {
  if (signIn !== 'without_configuration') return null;
  return (
    <Callout tone="warning" title="The platform may refuse the sign-in">
      <p>
        Apps that use Facebook Login for Business need the ID of a login configuration
        (MESSAGING_LOGIN_CONFIG_ID), which is not set. Without it the platform says that the app isn’t
        available, on a page without a way back. The access token of a system user works without it.
      </p>
      <p className="mt-1">
        <HelpLink page="connectAccess">Choose how Patchbay gets access</HelpLink>
      </p>
    </Callout>
  );
}

/**
 * To the form for a pasted token.
 * @param connectionId connects it again; else a new one
 * @param isPrimary where people cannot sign in instead
 */
export const TokenLink = ({
  connectionId,
  isPrimary = false,
}: {
  connectionId?: string;
  isPrimary?: boolean;
}) => (
  <Link
    href={connectionId === undefined ? '/connections/new' : `/connections/new?reconnect=${connectionId}`}
    className={buttonClass(isPrimary ? { variant: 'primary' } : {})}
  >
    <KeyRound aria-hidden />
    {connectionId === undefined ? 'Use an access token' : 'Replace the token'}
  </Link>
);
