'use client';
import { Fingerprint } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';

/** Signs in with a passkey. */
export const PasskeyButton = ({ busy, onClick }: { busy: boolean; onClick: () => void }) => (
  <Button
    size="lg"
    className="mt-3 w-full"
    icon={<Fingerprint aria-hidden />}
    loading={busy}
    onClick={onClick}
  >
    Sign in with a passkey
  </Button>
);
