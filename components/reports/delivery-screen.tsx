'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChartColumn, Download } from 'lucide-react';
import Link from 'next/link';
import { Suspense } from 'react';
import { HelpLink } from '#components/help/help-link.tsx';
import { fetchJson } from '#components/live/fetch-json.ts';
import { ReadProblem } from '#components/live/read-problem.tsx';
import { type Filters, useFilters } from '#components/live/use-filters.ts';
import { buttonClass } from '#components/ui/button-class.ts';
import { Callout } from '#components/ui/callout.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SegmentedControl } from '#components/ui/form/segmented-control.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { Skeleton } from '#components/ui/loading.tsx';
import { onDemand } from '#components/ui/on-demand.tsx';
import { EmptyState, PageHeader } from '#components/ui/page.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import type { ReportGrouping } from '#lib/messaging/schema/report-groupings.ts';
import type { DeliveryReport } from '#lib/screens/report-types.ts';
import { Costs, Failures, Totals } from './delivery-report.tsx';
import { SpanError, SPANS, toReportParameters } from './report-span.ts';
import { ReportTable } from './report-table.tsx';

/** Only this page loads the chart library; without it the table still has the numbers. */
const DaysChart = onDemand(async () => (await import('./days-chart.tsx')).DaysChart, null);

const REFRESH_MS = 30_000;

const GROUPINGS: readonly { value: ReportGrouping; label: string }[] = [
  { value: 'day', label: 'Day' },
  { value: 'template', label: 'Template' },
  { value: 'number', label: 'Number' },
  { value: 'workflow', label: 'Workflow' },
];

/** What happened to the messages of a span of days; the span and the grouping are in the URL. */
export function DeliveryScreen({
  canEditPrices,
  zone,
}: {
  canEditPrices: boolean;
  /** Of the workspace. */
  zone: string;
}) {
  const filters = useFilters();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['delivery-report', filters.query, zone],
    queryFn: ({ signal }) => {
      const parameters = new URLSearchParams(toReportParameters(filters.get, { nowMs: Date.now(), zone }));
      return fetchJson<DeliveryReport>(`/reports/delivery?${parameters.toString()}`, signal);
    },
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
    retry: (failures, problem) => failures === 0 && !(problem instanceof SpanError),
  });
  return (
    <>
      <PageHeader
        title="Delivery report"
        description={`What happened to the messages that your workflows sent. Days are in the time zone ${zone}.`}
        actions={data && data.totals.accepted > 0 && <DownloadLink report={data} />}
      />
      <Bar filters={filters} />
      {error && (
        <div className="mb-4">
          {error instanceof SpanError ? (
            <Callout tone="danger" live>
              {error.message}
            </Callout>
          ) : (
            <ReadProblem error={error} retry={() => void refetch()} />
          )}
        </div>
      )}
      {data ? (
        <div
          aria-busy={isPlaceholderData}
          className={isPlaceholderData ? 'opacity-60 transition-opacity' : ''}
        >
          <Report report={data} canEditPrices={canEditPrices} />
        </div>
      ) : (
        !error && <Loading />
      )}
    </>
  );
}

const DownloadLink = ({ report: { from, to, by } }: { report: DeliveryReport }) => (
  <a
    href={`/reports/delivery?${new URLSearchParams({ from, to, by, format: 'csv' }).toString()}`}
    download
    className={buttonClass()}
  >
    <Download aria-hidden /> Download CSV
  </a>
);

function Bar({ filters }: { filters: Filters }) {
  const span = SPANS.find(({ value }) => value === filters.get('span'))?.value ?? '7';
  const by = GROUPINGS.find(({ value }) => value === filters.get('by'))?.value ?? 'day';
  return (
    <div role="search" className="mb-5 flex flex-wrap items-center gap-2">
      <Select
        aria-label="Time"
        value={span}
        onValueChange={(value) =>
          filters.set({ span: value === '7' ? undefined : value, from: undefined, to: undefined })
        }
        options={SPANS}
        className="max-sm:w-full sm:w-40"
      />
      {span === 'custom' && (
        <>
          <DayFilter filters={filters} name="from" label="First day" />
          <DayFilter filters={filters} name="to" label="Last day" />
        </>
      )}
      <SegmentedControl
        label="Rows"
        options={GROUPINGS}
        value={by}
        onValueChange={(value) => filters.set({ by: value === 'day' ? undefined : value })}
        className="max-sm:w-full max-sm:[&>*]:flex-1"
      />
    </div>
  );
}

const DayFilter = ({ filters, name, label }: { filters: Filters; name: 'from' | 'to'; label: string }) => (
  <Input
    type="date"
    aria-label={label}
    title={label}
    defaultValue={filters.get(name) ?? ''}
    onChange={({ target }) => filters.set({ [name]: target.value || undefined })}
    className="max-sm:flex-1 sm:w-40"
  />
);

function Report({ report, canEditPrices }: { report: DeliveryReport; canEditPrices: boolean }) {
  const pending = report.pending_days > 0 && (
    <Callout tone="info" live title="Still counting">
      {report.pending_days === 1
        ? 'Messages of one day are not counted yet. They appear within minutes.'
        : `Messages of ${report.pending_days} days are not counted yet. They appear within minutes, the newest days first.`}
    </Callout>
  );
  if (report.totals.accepted === 0) return pending || <Nothing />;
  return (
    <div className="flex flex-col gap-5">
      {pending}
      <Totals totals={report.totals} />
      {report.by === 'day' && report.data.length > 1 && (
        <Suspense fallback={<Skeleton className="h-67 w-full" />}>
          <DaysChart days={report.data} />
        </Suspense>
      )}
      <ReportTable report={report} />
      <Failures failures={report.failures} />
      <Costs report={report} canEdit={canEditPrices} />
      <p className="text-sm text-muted">
        {report.counted_at && (
          <>
            Today’s messages were counted <RelativeTime at={report.counted_at} />.{' '}
          </>
        )}
        Earlier days are counted again for a month, while statuses still arrive.{' '}
        <HelpLink page="reports">How messages are counted</HelpLink>
      </p>
    </div>
  );
}

const Nothing = () => (
  <EmptyState
    icon={<ChartColumn />}
    title="No messages in this time"
    actions={
      <Link href="/workflows" className={buttonClass({ variant: 'primary' })}>
        Go to Workflows
      </Link>
    }
  >
    <p>
      When workflows send messages, you see here how many were delivered, read or failed, and why. It takes a
      minute or two. Choose a longer time to see earlier messages.
    </p>
    <p className="mt-2">
      <HelpLink page="reports">How messages are counted</HelpLink>
    </p>
  </EmptyState>
);

const Loading = () => (
  <div className="flex flex-col gap-5">
    <p role="status" className="sr-only">
      Loading
    </p>
    <Skeleton className="h-24 w-full" />
    <Skeleton className="h-72 w-full" />
  </div>
);
