'use client';
import { BellRing } from 'lucide-react';
import Link from 'next/link';
import { useState, useTransition } from 'react';
import { Badge, Status, type Tone } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { LoadMore } from '#components/ui/load-more.tsx';
import { EmptyState } from '#components/ui/page.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { showActionError, toast } from '#components/ui/overlay/toaster.tsx';
import type { Alert, Channel, Delivery, DeliveryState } from '#lib/alerts/alert-types.ts';
import { KIND_INFO } from '#lib/alerts/kinds.ts';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { RetryDelivery } from './alert-actions.ts';

export interface AlertPage {
  data: Alert[];
  next_cursor: string | null;
}

export interface AlertListProps {
  first: AlertPage;
  loadMore: (input: { cursor: string }) => Promise<ActionResult<AlertPage>>;
  /** Undefined for viewers. */
  retry: RetryDelivery | undefined;
}

/** Alerts, newest first, with their subject, recipients and delivery. */
export function AlertList({ first, loadMore, retry }: AlertListProps) {
  const [more, setMore] = useState<AlertPage[]>([]);
  const [busy, startTransition] = useTransition();
  const pages = [first, ...more];
  const alerts = pages.flatMap(({ data }) => data);
  const cursor = pages.at(-1)?.next_cursor ?? null;
  const load = () =>
    startTransition(async () => {
      if (cursor === null) return;
      const page = await loadMore({ cursor });
      if (page.ok) setMore((before) => [...before, page.data]);
      else showActionError(page.error);
    });
  if (alerts.length === 0)
    return (
      <EmptyState icon={<BellRing />} title="No alerts yet">
        When a run fails or a connection is about to end, the alert appears here, with where it was sent.
      </EmptyState>
    );
  return (
    <>
      <ul
        aria-label="Sent alerts"
        className="divide-y divide-line rounded-lg border border-line bg-surface shadow-raised"
      >
        {alerts.map((alert) => (
          <li key={alert.id} className="flex flex-col gap-2 px-5 py-4">
            <AlertEntry alert={alert} retry={retry} />
          </li>
        ))}
      </ul>
      <LoadMore
        hasMore={cursor !== null}
        loading={busy}
        onLoadMore={load}
        shown={alerts.length === 1 ? '1 alert' : `${alerts.length} alerts`}
      />
    </>
  );
}

const AlertEntry = ({ alert, retry }: { alert: Alert } & Pick<AlertListProps, 'retry'>) => (
  <>
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
      <h3 className="min-w-0 font-medium break-words">{alert.title}</h3>
      <span className="flex items-baseline gap-2 text-sm text-muted">
        <Badge>{alert.is_test ? 'Test' : KIND_INFO[alert.kind].label}</Badge>
        <RelativeTime at={alert.created_at} />
      </span>
    </div>
    <details className="group text-sm">
      <summary className="w-fit cursor-pointer rounded-sm text-muted hover:text-ink">What it says</summary>
      <div className="mt-1 flex flex-col gap-1 break-words">
        {alert.paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {alert.items.length > 0 && (
          <ul className="flex flex-col gap-1">
            {alert.items.map(({ text, path }, index) => (
              <li key={index}>
                <Link href={path} prefetch={false} className="text-accent hover:underline">
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </details>
    <div className="flex flex-col gap-1">
      {alert.deliveries.map((delivery) => (
        <DeliveryLine key={delivery.id} delivery={delivery} retry={retry} />
      ))}
    </div>
    <Link href={alert.link.path} prefetch={false} className="w-fit text-sm text-accent hover:underline">
      {alert.link.label}
    </Link>
  </>
);

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
function DeliveryLine({
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
