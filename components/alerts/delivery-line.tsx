'use client';
import { useTransition } from 'react';
import { showActionError } from '#components/shell/show-action-error.ts';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/toaster.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { Status } from '#components/ui/status.tsx';
import type { Tone } from '#components/ui/tones.ts';
import type { RetryDelivery } from './alert-actions.ts';
import type { Channel, Delivery, DeliveryState } from '#lib/alerts/alert-types.ts';

const TONES: Readonly<Record<DeliveryState, Tone>> = {
  waiting: 'info',
  held: 'info',
  delivered: 'success',
  failed: 'danger',
};
const HELD = 'Waiting for the digest';
const STATES: Readonly<Record<Channel, Readonly<Record<DeliveryState, string>>>> = {
  email: { waiting: 'Waiting to be sent', held: HELD, delivered: 'Sent', failed: 'Not sent' },
  webhook: { waiting: 'Waiting to be sent', held: HELD, delivered: 'Accepted', failed: 'Not accepted' },
  workflow: { waiting: 'Waiting to start', held: HELD, delivered: 'Started', failed: 'Not started' },
};
const CHANNELS: Readonly<Record<Channel, string>> = {
  email: 'Email to',
  webhook: 'Webhook to',
  workflow: 'Workflow',
};

/** The recipient and outcome of one delivery. */
export function DeliveryLine({
  delivery,
  retry,
}: {
  delivery: Delivery;
  /** Undefined for viewers. */
  retry: RetryDelivery | undefined;
}) {
  const [busy, startTransition] = useTransition();
  const again = () =>
    startTransition(async () => {
      const tried = await retry?.({ id: delivery.id });
      if (tried?.ok) toast.success('Sending again.');
      else if (tried) showActionError(tried.error);
    });
  const {
    channel,
    target,
    state,
    problem,
    attempts,
    in_digest: isInDigest,
    delivered_at: deliveredAt,
  } = delivery;
  return (
    <div className="text-sm">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <span className="min-w-0 break-words text-muted">
          {CHANNELS[channel]} {target}
        </span>
        <Status tone={TONES[state]} live={state === 'waiting'}>
          {STATES[channel][state]}
          {isInDigest && ' in a digest'}
          {deliveredAt && (
            <span className="text-muted">
              <RelativeTime at={deliveredAt} />
            </span>
          )}
        </Status>
        {retry && state === 'failed' && !isInDigest && (
          <Button size="sm" loading={busy} onClick={again} aria-label={`Try again to reach ${target}`}>
            Try again
          </Button>
        )}
      </div>
      {problem && state !== 'delivered' && (
        <p className="break-words text-danger">
          {problem}
          {state === 'waiting' && attempts > 0 && ' Patchbay will try again.'}
        </p>
      )}
    </div>
  );
}
