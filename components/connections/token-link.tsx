import { KeyRound } from 'lucide-react';
import Link from 'next/link';
import { buttonClass } from '#components/ui/button-class.ts';

/** To the form for a pasted token. @param connectionId connects it again; else a new one */
export const TokenLink = ({ connectionId }: { connectionId?: string }) => (
  <Link
    href={connectionId === undefined ? '/connections/new' : `/connections/new?reconnect=${connectionId}`}
    className={buttonClass()}
  >
    <KeyRound aria-hidden />
    {connectionId === undefined ? 'Use an access token' : 'Replace the token'}
  </Link>
);
