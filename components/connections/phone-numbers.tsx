'use client';
import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { fetchJson } from '#components/live/fetch-json.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import {
  describeLimit,
  isRegistrable,
  qualityWords,
  readQuality,
  SILENT_NUMBERS,
  statusWords,
} from '#lib/messaging/schema/number-words.ts';
import { NUMBERS_ANCHOR } from '#lib/screens/connection-types.ts';
import type { ConnectionActions } from './connection-actions-types.ts';
import { RegisterNumber } from './register-number.tsx';
import type { PhoneNumberView } from '#lib/messaging/connections/schema.ts';

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
  /** Null: who looks may not register numbers. */
  register: ConnectionActions['registerPhoneNumber'] | null;
}) {
  const phones = usePhoneNumbers(connectionId);
  return (
    <Card
      id={NUMBERS_ANCHOR}
      title="Numbers"
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
  const canSend = status === null || !SILENT_NUMBERS.includes(status);
  return (
    <>
      <Badge tone={tone}>
        {qualityWords(phone.quality_rating)}
        {effect && `: ${effect}`}
      </Badge>
      {!canSend && <Badge tone="danger">Cannot send: {statusWords(status)}</Badge>}
      <span className="inline-block text-sm text-muted first-letter:uppercase">
        {[describeLimit({ tier, portfolioTier }), canSend ? statusWords(status) : undefined]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </>
  );
}
