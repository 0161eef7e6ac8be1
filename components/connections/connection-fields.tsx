'use client';
import { useState } from 'react';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import type { ActionError } from '#lib/identity/auth/action-types.ts';
import type { BusinessAccountView } from '#lib/messaging/connections/schema.ts';
import { AccountChoice } from './account-choice.tsx';

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
