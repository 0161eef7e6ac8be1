'use client';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { HelpLink } from '#components/help/help-link.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { toast } from '#components/ui/toaster.tsx';
import type { ActionError, ActionResult } from '#lib/identity/auth/action-types.ts';
import type { BusinessAccountView } from '#lib/messaging/connections/schema.ts';

export interface SaveLoginFormProps {
  loginId: string;
  accounts: readonly BusinessAccountView[];
  /** Ids of accounts that have a connection already. */
  taken: readonly string[];
  saveLogin: (input: {
    loginId: string;
    name: string;
    businessAccountId: string;
    subscribes: boolean;
  }) => Promise<ActionResult<{ id: string; problem: string | null; backTo: string | null }>>;
}

/** The last step of a login: one business account, one connection. */
export function SaveLoginForm({ loginId, accounts, taken, saveLogin }: SaveLoginFormProps) {
  const router = useRouter();
  const free = accounts.filter(({ id }) => !taken.includes(id));
  // Mostly it is the first one: choosing another takes one click, as before.
  const [accountId, setAccountId] = useState(free[0]?.id ?? '');
  const [name, setName] = useState(free[0]?.name ?? '');
  const [isNameOwn, setIsNameOwn] = useState(false);
  const [subscribes, setSubscribes] = useState(true);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ActionError | null>(null);
  const choose = (account: BusinessAccountView) => {
    setAccountId(account.id);
    if (!isNameOwn) setName(account.name);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const result = await saveLogin({ loginId, name, businessAccountId: accountId, subscribes });
    if (!result.ok) {
      setError(result.error);
      return setBusy(false);
    }
    const { id, problem, backTo } = result.data;
    if (backTo !== null) {
      if (problem) toast.error('Subscribing to its notifications failed.', { description: problem });
      return router.push(backTo);
    }
    router.push(problem ? `/connections/${id}?unsubscribed=1` : `/connections/${id}`);
  };
  if (accounts.length === 0) {
    return (
      <Callout tone="warning" title="No business account available">
        <p>Request the Admin or Editor role on the business account, then connect again.</p>
        <HelpLink page="troubleshootingConnections">Problems with connections</HelpLink>
      </Callout>
    );
  }
  const problemAt = (path: string) => error?.problems.find((problem) => problem.path === path)?.message;
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-6">
      {error && (
        <Callout tone="danger" live>
          {error.message}
        </Callout>
      )}
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2 text-sm font-medium">Business account</legend>
        {accounts.map((account) => (
          <Account
            key={account.id}
            account={account}
            isTaken={taken.includes(account.id)}
            isChosen={account.id === accountId}
            choose={choose}
          />
        ))}
      </fieldset>
      <Field label="Name" help="Shown in tasks and lists." error={problemAt('name')}>
        <Input
          value={name}
          maxLength={200}
          onChange={(event) => {
            setName(event.target.value);
            setIsNameOwn(true);
          }}
        />
      </Field>
      <Checkbox
        label="Receive notifications"
        help="Incoming messages, delivery statuses and template review results. This replaces the account’s current callback URL."
        checked={subscribes}
        onCheckedChange={setSubscribes}
      />
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" variant="primary" loading={busy} disabled={accountId === ''}>
          Save connection
        </Button>
        <HelpLink page="connectPlatform">How connections work</HelpLink>
      </div>
    </form>
  );
}

const RELATION = { owned: 'own account', client: 'client account', granted: 'granted account' };

const Account = ({
  account,
  isTaken,
  isChosen,
  choose,
}: {
  account: BusinessAccountView;
  isTaken: boolean;
  isChosen: boolean;
  choose: (account: BusinessAccountView) => void;
}) => (
  <label
    className={`flex items-start gap-3 rounded-lg border px-4 py-3 ${isChosen ? 'border-accent bg-accent-soft' : 'border-line bg-surface'} ${isTaken ? 'text-muted' : 'cursor-pointer hover:border-line-strong'}`}
  >
    <input
      type="radio"
      name="account"
      value={account.id}
      checked={isChosen}
      disabled={isTaken}
      onChange={() => choose(account)}
      className="mt-1 size-4 accent-accent"
    />
    <span className="min-w-0 flex-1">
      <span className="font-medium">{account.name}</span> {isTaken && <Badge>already connected</Badge>}
      <span className="block text-sm text-muted">
        {account.business_name && `${account.business_name}, `}
        {RELATION[account.relation]} · {account.id}
      </span>
    </span>
  </label>
);
