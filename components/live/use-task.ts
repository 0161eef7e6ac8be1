'use client';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from '#components/ui/overlay/toaster.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';

/** Runs a server action, shows its outcome and refreshes the page on success. */
export function useTask(): {
  busy: boolean;
  /** @returns whether it succeeded */
  run: (work: () => Promise<ActionResult<unknown>>, done: string) => Promise<boolean>;
} {
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<ActionResult<unknown>>, done: string) => {
    setBusy(true);
    const result = await work();
    setBusy(false);
    if (!result.ok) {
      toast.error(result.error.message);
      return false;
    }
    toast.success(done);
    router.refresh();
    return true;
  };
  return { busy, run };
}
