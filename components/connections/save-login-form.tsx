'use client';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { HelpLink } from '#components/help/help-link.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import type { ActionError, ActionResult } from '#lib/identity/auth/action-types.ts';
import type { BusinessAccountView } from '#lib/messaging/connections/schema.ts';
import { ConnectionFields, firstValues, type NewConnectionValues } from './connection-fields.tsx';

export interface SaveLoginFormProps {
  loginId: string;
  accounts: readonly BusinessAccountView[];
  /** Why the platform lists no accounts. */
  problem?: string | undefined;
  /** Ids of accounts that already have a connection. */
  taken: readonly string[];
  saveLogin: (
    input: NewConnectionValues & { loginId: string },
  ) => Promise<ActionResult<{ id: string; problem: string | null; backTo: string | null }>>;
}

/** The last step of a login: one business account, one connection. */
export function SaveLoginForm({ loginId, accounts, problem, taken, saveLogin }: SaveLoginFormProps) {
  const router = useRouter();
  const [values, setValues] = useState(() => firstValues(accounts, taken));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ActionError | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const result = await saveLogin({ loginId, ...values });
    if (!result.ok) {
      setError(result.error);
      return setBusy(false);
    }
    const { id, problem: notSubscribed, backTo } = result.data;
    if (backTo !== null) {
      if (notSubscribed)
        toast.error('Subscribing to its notifications failed.', { description: notSubscribed });
      return router.push(backTo);
    }
    router.push(notSubscribed ? `/connections/${id}?unsubscribed=1` : `/connections/${id}`);
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-6">
      {accounts.length === 0 && (
        <Callout tone="warning" title="No business account available">
          {problem !== undefined && <p>{problem}</p>}
          <p>
            Request the Admin or Editor role on the business account, then connect again. If the platform does
            not list an account that you can access, enter its ID.
          </p>
          <HelpLink page="troubleshootingConnections">Problems with connections</HelpLink>
        </Callout>
      )}
      {error && (
        <Callout tone="danger" live>
          {error.message}
        </Callout>
      )}
      <ConnectionFields
        accounts={accounts}
        taken={taken}
        values={values}
        onChange={setValues}
        error={error}
      />
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" variant="primary" loading={busy} disabled={values.businessAccountId === ''}>
          Save connection
        </Button>
        <HelpLink page="connectPlatform">How connections work</HelpLink>
      </div>
    </form>
  );
}
