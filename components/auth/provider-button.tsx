'use client';
import { KeyRound } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { getBrowserZone } from '#components/ui/format.ts';
import { CALLBACK_PATH, ZONE_COOKIE } from '#lib/identity/auth/cookies.ts';
import { signIn } from './sign-in.ts';

const SIGN_IN_SECONDS = 3600;

function keepZone(): void {
  const secure = location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `${ZONE_COOKIE}=${getBrowserZone()}; path=${CALLBACK_PATH}; max-age=${SIGN_IN_SECONDS}; samesite=lax${secure}`;
}

/** Signs in with the identity provider, as the only option or one of several. */
export const ProviderButton = ({
  id,
  name,
  returnPath,
  alone = false,
  startsWorkspace = false,
}: {
  id: string;
  name: string;
  returnPath: string;
  alone?: boolean;
  /** The first owner's workspace gets the time zone of the browser. */
  startsWorkspace?: boolean;
}) => (
  <>
    {!alone && (
      <div className="my-4 flex items-center gap-3 text-sm text-muted">
        <span className="h-px flex-1 bg-line" />
        or
        <span className="h-px flex-1 bg-line" />
      </div>
    )}
    <Button
      size="lg"
      variant={alone ? 'primary' : 'secondary'}
      className="w-full"
      icon={<KeyRound aria-hidden />}
      onClick={() => {
        if (startsWorkspace) keepZone();
        void signIn(id, { callbackUrl: returnPath });
      }}
    >
      Continue with {name}
    </Button>
  </>
);
