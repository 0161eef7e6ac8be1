'use client';
import { KeyRound } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { signIn } from './sign-in.ts';

/** Signs in with the identity provider, as the only option or one of several. */
export const ProviderButton = ({
  id,
  name,
  returnPath,
  alone = false,
}: {
  id: string;
  name: string;
  returnPath: string;
  alone?: boolean;
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
      onClick={() => void signIn(id, { callbackUrl: returnPath })}
    >
      Continue with {name}
    </Button>
  </>
);
