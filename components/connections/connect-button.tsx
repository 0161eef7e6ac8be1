'use client';
import { Plug } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';

export type StartLogin = (input: { id?: string | undefined }) => Promise<ActionResult<{ url: string }>>;

/**
 * Opens the platform's login in this tab, which returns here.
 * @param connectionId reconnects it; else a new one
 */
export function ConnectButton({
  startLogin,
  connectionId,
  label = 'Connect an account',
  variant = 'primary',
  size = 'md',
}: {
  startLogin: StartLogin;
  connectionId?: string;
  label?: string;
  variant?: 'primary' | 'secondary' | 'ghost';
  size?: 'sm' | 'md';
}) {
  const [busy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    const result = await startLogin({ id: connectionId });
    if (result.ok) return window.location.assign(result.data.url);
    setBusy(false);
    toast.error(result.error.message);
  };
  return (
    <Button
      variant={variant}
      size={size}
      icon={<Plug aria-hidden />}
      loading={busy}
      onClick={() => void start()}
    >
      {label}
    </Button>
  );
}
