'use client';
import { BellRing } from 'lucide-react';
import Link from 'next/link';
import { useState, useTransition } from 'react';
import { showActionError } from '#components/shell/show-action-error.ts';
import { Badge } from '#components/ui/badge.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { LoadMore } from '#components/ui/load-more.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { Alert } from '#lib/alerts/alert-types.ts';
import { KIND_INFO } from '#lib/alerts/kinds.ts';
import type { RetryDelivery } from './alert-actions.ts';
import { DeliveryLine } from './delivery-line.tsx';

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
