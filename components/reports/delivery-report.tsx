import Link from 'next/link';
import { Card } from '#components/ui/card.tsx';
import { cx } from '#components/ui/cx.ts';
import { Table, Td, Th, Tr } from '#components/ui/table.tsx';
import { codeTitle } from '#lib/messaging/schema/number-words.ts';
import type { ReportGrouping } from '#lib/messaging/schema/report-groupings.ts';
import type { DeliveryReport, DeliveryReportRow } from '#lib/screens/report-types.ts';
import { formatShare } from './report-span.ts';

type Reached = DeliveryReport['totals'];
type Stage = keyof Reached;

const STAGES: readonly { stage: Stage; label: string; fill: string }[] = [
  { stage: 'accepted', label: 'Accepted', fill: 'bg-line-strong' },
  { stage: 'sent', label: 'Sent', fill: 'bg-cable-blue' },
  { stage: 'delivered', label: 'Delivered', fill: 'bg-accent' },
  { stage: 'read', label: 'Read', fill: 'bg-success' },
  { stage: 'failed', label: 'Failed', fill: 'bg-danger' },
];

const inDigits = (count: number): string => count.toLocaleString('en');

/** A share as the length of a bar; its number is beside it. */
const ShareBar = ({ part, whole, fill }: { part: number; whole: number; fill: string }) => (
  <span aria-hidden className="block h-1.5 overflow-hidden rounded-full bg-hover">
    <span
      className={cx('block h-full rounded-full', fill, part > 0 && 'min-w-0.5')}
      style={{ width: `${whole === 0 ? 0 : (100 * part) / whole}%` }}
    />
  </span>
);

/** How far all messages came. */
export const Totals = ({ totals }: { totals: Reached }) => (
  <dl
    aria-label="All messages"
    className="grid grid-cols-2 gap-x-6 gap-y-4 rounded-lg border border-line bg-surface px-5 py-4 shadow-raised sm:grid-cols-5"
  >
    {STAGES.map(({ stage, label, fill }) => (
      <div key={stage} className={cx('min-w-0', stage === 'accepted' && 'max-sm:col-span-2')}>
        <dt className="flex justify-between gap-2 text-sm text-muted">
          {label}
          {stage !== 'accepted' && (
            <span className="tabular-nums">{formatShare(totals[stage], totals.accepted)}</span>
          )}
        </dt>
        <dd>
          <span className="text-2xl font-semibold tabular-nums">{inDigits(totals[stage])}</span>
          <span className="mt-1.5 block">
            <ShareBar part={totals[stage]} whole={totals.accepted} fill={fill} />
          </span>
        </dd>
      </div>
    ))}
  </dl>
);

const TITLES: Readonly<Record<ReportGrouping, string>> = {
  day: 'Day',
  template: 'Message template or type',
  number: 'Phone number',
  workflow: 'Workflow',
};

/** The same by day, template, number or workflow. Days are newest first, others by their number of messages. */
export function ReportTable({ report: { by, data } }: { report: DeliveryReport }) {
  const rows = by === 'day' ? data.toReversed() : data;
  const most = Math.max(...rows.map(({ accepted }) => accepted));
  return (
    <Table label={`Messages by ${by}`}>
      <thead>
        <tr>
          <Th>{TITLES[by]}</Th>
          {STAGES.map(({ stage, label }) => (
            <Th
              key={stage}
              className={cx('text-right max-sm:px-1.5 max-sm:text-sm', stage === 'sent' && 'max-sm:hidden')}
            >
              {label}
            </Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Tr key={`${row.key} ${row.label}`}>
            <Td className="min-w-24 align-top max-sm:px-3">
              <RowLabel by={by} row={row} />
            </Td>
            {STAGES.map(({ stage, fill }) => (
              <Td
                key={stage}
                className={cx(
                  'text-right align-top whitespace-nowrap tabular-nums sm:w-36 max-sm:px-1.5 max-sm:text-sm',
                  stage === 'sent' && 'max-sm:hidden',
                )}
              >
                <Share stage={stage} row={row} most={most} fill={fill} />
              </Td>
            ))}
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

/** Of accepted messages the bar compares rows, of the others it is their share of the row. */
function Share({
  stage,
  row,
  most,
  fill,
}: {
  stage: Stage;
  row: DeliveryReportRow;
  most: number;
  fill: string;
}) {
  if (row.accepted === 0) return <span className="text-muted">{stage === 'accepted' ? 0 : '–'}</span>;
  const whole = stage === 'accepted' ? most : row.accepted;
  return (
    <>
      <span className="flex items-baseline justify-end gap-x-1.5 max-sm:flex-wrap">
        {inDigits(row[stage])}
        {stage !== 'accepted' && (
          <span className="text-sm text-muted max-sm:w-full">{formatShare(row[stage], row.accepted)}</span>
        )}
      </span>
      <span className="mt-1 block">
        <ShareBar part={row[stage]} whole={whole} fill={fill} />
      </span>
    </>
  );
}

const DAY = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

function RowLabel({ by, row: { key, label } }: { by: ReportGrouping; row: DeliveryReportRow }) {
  if (by === 'day')
    return (
      <time dateTime={key} title={key} className="font-medium whitespace-nowrap">
        {DAY.format(new Date(key))}
      </time>
    );
  if (by === 'workflow' && key !== '')
    return (
      <Link href={`/workflows/${key}`} prefetch={false} className="font-medium hover:underline">
        {label}
      </Link>
    );
  return <span className="font-medium [overflow-wrap:anywhere]">{label}</span>;
}

/** Why messages failed, the most frequent reason first. */
export function Failures({ failures }: { failures: DeliveryReport['failures'] }) {
  if (failures.length === 0) return null;
  return (
    <Card
      title="Why messages failed"
      actions={
        <Link
          href="/runs?status=undelivered"
          className="text-sm font-medium text-accent underline underline-offset-2"
        >
          Show the runs
        </Link>
      }
    >
      <ul className="-my-1 flex flex-col divide-y divide-line">
        {failures.map(({ code, messages, reason, fix }) => (
          <li key={code ?? ''} className="flex gap-4 py-2.5">
            <span className="w-16 shrink-0 text-right text-lg font-semibold tabular-nums">
              {inDigits(messages)}
            </span>
            <div className="min-w-0">
              <p className="font-medium">
                {reason} {code !== null && <span className="font-normal text-muted">({code})</span>}
              </p>
              <p className="max-w-prose text-muted">
                {fix ?? 'Open one of the runs: it has the platform’s own words, if there are any.'}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Under which categories the platform charges messages. */
export function Categories({ categories }: { categories: DeliveryReport['categories'] }) {
  if (categories.length === 0) return null;
  return (
    <Card
      title="Charged as"
      description="The category that the platform reported with each message. It does not report the price."
    >
      <dl className="flex flex-wrap gap-x-8 gap-y-3">
        {categories.map(({ category, messages }) => (
          <div key={category}>
            <dt className="text-sm text-muted">
              {category === 'free' ? 'Free of charge' : codeTitle(category)}
            </dt>
            <dd className="text-lg font-semibold tabular-nums">{inDigits(messages)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
