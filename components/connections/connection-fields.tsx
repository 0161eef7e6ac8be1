'use client';
import { type ReactNode, useState } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import type { ActionError } from '#lib/identity/auth/action-types.ts';
import type { BusinessAccountView } from '#lib/messaging/connections/schema.ts';

export interface NewConnectionValues {
  businessAccountId: string;
  name: string;
  subscribes: boolean;
}

export interface ConnectionFieldsProps {
  accounts: readonly BusinessAccountView[];
  /** Ids of accounts that already have a connection. */
  taken: readonly string[];
  values: NewConnectionValues;
  onChange: (values: NewConnectionValues) => void;
  error: ActionError | null;
}

/** Initial values: usually the first account without a connection, and its name. */
export function firstValues(
  accounts: readonly BusinessAccountView[],
  taken: readonly string[],
): NewConnectionValues {
  const free = accounts.find(({ id }) => !taken.includes(id));
  return { businessAccountId: free?.id ?? '', name: free?.name ?? '', subscribes: true };
}

/** Fields of every new connection, however its token was obtained. */
export function ConnectionFields({ accounts, taken, values, onChange, error }: ConnectionFieldsProps) {
  const [isNameOwn, setIsNameOwn] = useState(false);
  const problemAt = (...paths: string[]) => error?.problems.find(({ path }) => paths.includes(path))?.message;
  return (
    <>
      <AccountChoice
        accounts={accounts}
        taken={taken}
        accountId={values.businessAccountId}
        choose={(businessAccountId, name) =>
          onChange({ ...values, businessAccountId, name: isNameOwn ? values.name : name })
        }
        error={problemAt('business_account_id', 'businessAccountId')}
      />
      <Field label="Name" help="Shown in tasks and lists." error={problemAt('name')}>
        <Input
          value={values.name}
          maxLength={200}
          onChange={(event) => {
            onChange({ ...values, name: event.target.value });
            setIsNameOwn(true);
          }}
        />
      </Field>
      <Checkbox
        label="Receive notifications"
        help="Incoming messages, delivery statuses and template review results. This replaces the account’s current callback URL."
        checked={values.subscribes}
        onCheckedChange={(subscribes) => onChange({ ...values, subscribes })}
      />
    </>
  );
}

export interface AccountChoiceProps {
  /** Empty: the ID is entered manually. */
  accounts: readonly BusinessAccountView[];
  /** Ids of accounts that already have a connection. */
  taken: readonly string[];
  accountId: string;
  /** @param name empty for an entered ID */
  choose: (accountId: string, name: string) => void;
  error?: string | undefined;
}

/**
 * Selects a business account: from the list, or by its ID, because the platform does not list every account that a token can
 * access.
 */
function AccountChoice({ accounts, taken, accountId, choose, error }: AccountChoiceProps) {
  const [isByHand, setIsByHand] = useState(accounts.every(({ id }) => taken.includes(id)));
  const entry = (
    <Field
      label="Business account ID"
      help="Digits only. The platform’s business settings show it with the account."
      error={error}
    >
      <Input
        value={isByHand ? accountId : ''}
        inputMode="numeric"
        autoComplete="off"
        maxLength={100}
        onChange={(event) => choose(event.target.value.trim(), '')}
      />
    </Field>
  );
  if (accounts.length === 0) return entry;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-sm font-medium">Business account</legend>
      {accounts.map(({ id, name, business_name: businessName, relation }) => (
        <Choice
          key={id}
          title={name}
          badge={taken.includes(id) && <Badge>already connected</Badge>}
          isDisabled={taken.includes(id)}
          isChosen={!isByHand && id === accountId}
          choose={() => {
            setIsByHand(false);
            choose(id, name);
          }}
        >
          {businessName && `${businessName}, `}
          {RELATION[relation]} · {id}
        </Choice>
      ))}
      <Choice
        title="Another account"
        isChosen={isByHand}
        choose={() => {
          setIsByHand(true);
          choose('', '');
        }}
      >
        One that is not listed, by its ID
      </Choice>
      {isByHand ? entry : error && <p className="text-sm text-danger">{error}</p>}
    </fieldset>
  );
}

const RELATION = { owned: 'own account', client: 'client account', granted: 'granted account' };

const Choice = ({
  title,
  badge,
  isDisabled = false,
  isChosen,
  choose,
  children,
}: {
  title: string;
  badge?: ReactNode;
  isDisabled?: boolean;
  isChosen: boolean;
  choose: () => void;
  children: ReactNode;
}) => (
  <label
    className={`flex items-start gap-3 rounded-lg border px-4 py-3 ${isChosen ? 'border-accent bg-accent-soft' : 'border-line bg-surface'} ${isDisabled ? 'text-muted' : 'cursor-pointer hover:border-line-strong'}`}
  >
    <input
      type="radio"
      name="account"
      checked={isChosen}
      disabled={isDisabled}
      onChange={choose}
      className="mt-1 size-4 accent-accent"
    />
    <span className="min-w-0 flex-1">
      <span className="font-medium">{title}</span> {badge}
      <span className="block text-sm text-muted first-letter:uppercase">{children}</span>
    </span>
  </label>
);
