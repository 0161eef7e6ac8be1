'use client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useState, useTransition } from 'react';
import { fetchJson } from '#components/live/fetch-json.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { problemAt } from '#components/ui/form/form-values.ts';
import { FormDialog } from '#components/ui/form/form-dialog.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Skeleton } from '#components/ui/loading.tsx';
import { TextWithInstants } from '#components/ui/relative-time.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import type { ActionError } from '#lib/identity/auth/action-types.ts';
import type { PhoneNumberView } from '#lib/messaging/connections/schema.ts';
import {
  describeRate,
  describeUse,
  isRegistrable,
  qualityWords,
  readQuality,
  SILENT_NUMBERS,
  statusWords,
} from '#lib/messaging/schema/number-words.ts';
import { NUMBERS_ANCHOR } from '#lib/screens/connection-types.ts';
import type { ConnectionActions } from './connection-actions-types.ts';

/** The numbers of a connection, cached for a minute and shared by screens. */
export const usePhoneNumbers = (connectionId: string) =>
  useQuery({
    queryKey: ['phone-numbers', connectionId],
    queryFn: ({ signal }) =>
      fetchJson<PhoneNumberView[]>(`/connections/${connectionId}/phone-numbers`, signal),
    staleTime: 60_000,
  });

/** The business account's numbers with their quality, read from the platform now. */
export function PhoneNumbers({
  connectionId,
  register,
}: {
  connectionId: string;
  /** Null: the user may not register numbers. */
  register: ConnectionActions['registerPhoneNumber'] | null;
}) {
  const phones = usePhoneNumbers(connectionId);
  return (
    <Card
      id={NUMBERS_ANCHOR}
      title="Numbers"
      description="The platform limits how many customers you can message first in 24 hours: those who get a message template without having written to you in the last 24 hours."
      actions={
        <Button
          size="sm"
          icon={<RefreshCw aria-hidden />}
          loading={phones.isFetching}
          onClick={() => void phones.refetch()}
        >
          Reload
        </Button>
      }
    >
      {phones.error && (
        <Callout tone="danger" live>
          {phones.error.message}
        </Callout>
      )}
      {phones.isPending && <Skeleton className="h-16" />}
      {phones.data?.length === 0 && (
        <p className="text-muted">This business account has no phone numbers yet. Add one on the platform.</p>
      )}
      <ul className="flex flex-col divide-y divide-line">
        {phones.data?.map((phone) => (
          <li key={phone.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
            <div className="min-w-56 flex-1">
              <p className="font-medium tabular-nums">{phone.display_phone_number}</p>
              <p className="text-sm text-muted">
                {phone.verified_name} · <span className="font-mono text-xs">{phone.id}</span>
              </p>
            </div>
            <NumberState phone={phone} />
            {register && isRegistrable(phone.status) && (
              <RegisterNumber connectionId={connectionId} phone={phone} register={register} />
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Quality with its consequences, messaging limit, and whether it can send. */
function NumberState({ phone }: { phone: PhoneNumberView }) {
  const { effect, tone } = readQuality(phone.quality_rating);
  const { messaging_limit_tier: tier, portfolio_messaging_limit: portfolioTier, status } = phone;
  const use = describeUse({ tier, portfolioTier, customers: phone.customers_in_24_hours });
  const rate = describeRate(phone.messages_per_second);
  const canSend = status === null || !SILENT_NUMBERS.includes(status);
  return (
    <>
      <Badge tone={tone}>
        {qualityWords(phone.quality_rating)}
        {effect && `: ${effect}`}
      </Badge>
      {!canSend && <Badge tone="danger">Cannot send: {statusWords(status)}</Badge>}
      <span className="inline-block text-sm text-muted first-letter:uppercase">
        {canSend ? `${use} · ${rate} · ${statusWords(status)}` : use}
      </span>
    </>
  );
}

export interface RegisterNumberProps {
  connectionId: string;
  phone: PhoneNumberView;
  register: ConnectionActions['registerPhoneNumber'];
}

/** Asks for the PIN of a number and registers it, so that it can send. */
function RegisterNumber({ connectionId, phone, register }: RegisterNumberProps) {
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const [pin, setPin] = useState('');
  const [error, setError] = useState<ActionError | null>(null);
  const [busy, startTransition] = useTransition();
  const change = (next: boolean) => {
    setOpen(next);
    setPin('');
    setError(null);
  };
  const pinProblem = problemAt(error, 'pin');
  const submit = () =>
    startTransition(async () => {
      const result = await register({ id: connectionId, phoneNumberId: phone.id, pin });
      if (!result.ok) return setError(result.error);
      change(false);
      toast.success(`${phone.display_phone_number} is registered.`);
      await Promise.all(
        ['phone-numbers', 'checks'].map((key) =>
          queries.invalidateQueries({ queryKey: [key, connectionId] }),
        ),
      );
    });
  return (
    <FormDialog
      open={open}
      onOpenChange={change}
      trigger={
        <Button size="sm" aria-label={`Register ${phone.display_phone_number}`}>
          Register
        </Button>
      }
      title={`Register ${phone.display_phone_number}`}
      description="A number sends only after it was registered with a PIN of six digits."
      submitLabel="Register number"
      busy={busy}
      noValidate
      onSubmit={submit}
      problem={error && error.message !== pinProblem && <TextWithInstants text={error.message} />}
    >
      <Field
        label="PIN"
        required
        error={pinProblem}
        help="The PIN of the number’s two-step verification. If it has none yet, choose one and note it: it becomes the number’s PIN. It is not stored here."
      >
        <Input
          value={pin}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          autoFocus
          className="max-w-32 font-mono tracking-widest"
          onChange={(event) => setPin(event.target.value.replace(/\D/g, ''))}
        />
      </Field>
    </FormDialog>
  );
}
