'use client';
import { useEffect, useState } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Select } from '#components/ui/form/select.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { PickerOption, PickerQuery } from '#lib/screens/editor-types.ts';
import { firstUsable } from './first-usable.ts';
import { ConnectButton, type StartLogin } from './connect-button.tsx';

export interface ChosenSender {
  connectionId: string;
  phoneNumberId: string;
}

export interface SenderFieldsProps {
  /** Initial selection; else the first that can send. */
  connectionId?: string | undefined;
  listOptions: (input: PickerQuery) => Promise<ActionResult<PickerOption[]>>;
  startLogin: StartLogin;
  /** Undefined without a possible sender. */
  onChange: (sender: ChosenSender | undefined) => void;
}

/** Selects the sender of messages: the connection, and its number. */
export function SenderFields({ connectionId: asked, listOptions, startLogin, onChange }: SenderFieldsProps) {
  const connections = useOptions(listOptions, { kind: 'connection' });
  const [picked, setPicked] = useState(asked);
  const connection =
    connections.options?.find(({ value }) => value === picked) ?? firstUsable(connections.options);
  const connectionId = connection?.value;
  const numbers = useOptions(
    listOptions,
    connectionId === undefined ? undefined : { kind: 'phone_number', connectionId },
  );
  const [pickedNumber, setPickedNumber] = useState<string>();
  const number = numbers.options?.find(({ value }) => value === pickedNumber) ?? firstUsable(numbers.options);
  const phoneNumberId = number?.value;
  useEffect(
    () => onChange(connectionId && phoneNumberId ? { connectionId, phoneNumberId } : undefined),
    [connectionId, phoneNumberId, onChange],
  );
  if (connections.error !== undefined) return <Callout tone="danger">{connections.error}</Callout>;
  if (connections.options?.length === 0) {
    return (
      <div className="flex flex-col items-start gap-2 rounded-lg border border-line p-4">
        <p className="text-muted">
          Sign in to the messaging platform and select the business account to send from. You return here.
        </p>
        <ConnectButton startLogin={startLogin} />
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <Chooser label="Connection" options={connections.options} chosen={connection} choose={setPicked} />
      {connection?.badge?.tone === 'danger' ? (
        <ConnectButton
          startLogin={startLogin}
          connectionId={connection.value}
          label="Reconnect"
          variant="secondary"
          size="sm"
        />
      ) : (
        <Chooser
          label="Sender"
          options={numbers.options}
          chosen={number}
          choose={setPickedNumber}
          error={
            numbers.error ??
            (numbers.options?.length === 0
              ? 'The business account has no phone number. Add one on the platform.'
              : undefined)
          }
        />
      )}
    </div>
  );
}

const Chooser = ({
  label,
  options,
  chosen,
  choose,
  error,
}: {
  label: string;
  options: readonly PickerOption[] | undefined;
  chosen: PickerOption | undefined;
  choose: (value: string) => void;
  error?: string | undefined;
}) => (
  <Field
    label={label}
    error={error}
    help={chosen?.detail}
    aside={chosen?.badge && <Badge tone={chosen.badge.tone}>{chosen.badge.text}</Badge>}
  >
    <Select
      value={chosen?.value ?? ''}
      disabled={!options || options.length === 0}
      placeholder={options || error ? 'Choose…' : 'Loading…'}
      onValueChange={choose}
      options={(options ?? []).map(({ value, label: text, detail, badge }) => ({
        value,
        label: text,
        description: [detail, badge?.text].filter(Boolean).join(' · '),
      }))}
    />
  </Field>
);

interface Options {
  /** Undefined while they are loading. */
  options?: readonly PickerOption[];
  error?: string;
}

function useOptions(listOptions: SenderFieldsProps['listOptions'], query: PickerQuery | undefined): Options {
  const key = query && JSON.stringify(query);
  const [loaded, setLoaded] = useState<Options & { key?: string | undefined }>({});
  useEffect(() => {
    if (key === undefined) return;
    let isCurrent = true;
    const keep = (found: Options) => isCurrent && setLoaded({ ...found, key });
    listOptions(JSON.parse(key) as PickerQuery).then(
      (result) => keep(result.ok ? { options: result.data } : { error: result.error.message }),
      () => keep({ error: 'The server cannot be reached. Try again in a moment.' }),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, listOptions]);
  return loaded.key === key ? loaded : {};
}
