import Link from 'next/link';
import { cx } from '#components/ui/cx.ts';
import { Table, Td, Th, Tr } from '#components/ui/table.tsx';
import type { ReportGrouping } from '#lib/messaging/schema/report-groupings.ts';
import type { DeliveryReport, DeliveryReportRow } from '#lib/screens/report-types.ts';
import { formatDay, formatMoney, formatShare, formatWait, inDigits } from './report-span.ts';

export const STAGES = [
  { stage: 'accepted', label: 'Accepted', fill: 'bg-line-strong' },
  { stage: 'sent', label: 'Sent', fill: 'bg-cable-blue' },
  { stage: 'delivered', label: 'Delivered', fill: 'bg-accent' },
  { stage: 'read', label: 'Read', fill: 'bg-success' },
  { stage: 'answered', label: 'Answered', fill: 'bg-cable-violet' },
  { stage: 'failed', label: 'Failed', fill: 'bg-danger' },
] as const satisfies readonly { stage: keyof DeliveryReport['totals']; label: string; fill: string }[];

/** A share as the length of a bar; its number is beside it. */
export const ShareBar = ({ part, whole, fill }: { part: number; whole: number; fill: string }) => (
  <span aria-hidden className="block h-1.5 overflow-hidden rounded-full bg-hover">
    <span
      className={cx('block h-full rounded-full', fill, part > 0 && 'min-w-0.5')}
      style={{ width: `${whole === 0 ? 0 : (100 * part) / whole}%` }}
    />
  </span>
);

const TITLES: Readonly<Record<ReportGrouping, string>> = {
  day: 'Day',
  template: 'Message template or type',
  number: 'Phone number',
  workflow: 'Workflow',
};

/**
 * The messages by day, template, number or workflow. Days are newest first, others by their number of messages. On a phone each row
 * has its numbers below its name.
 */
export function ReportTable({ report: { by, data, currency } }: { report: DeliveryReport }) {
  const rows = by === 'day' ? data.toReversed() : data;
  const most = Math.max(...rows.map(({ accepted }) => accepted));
  return (
    <Table label={`Messages by ${by}`}>
      <thead className="max-sm:sr-only">
        <tr>
          <Th>{TITLES[by]}</Th>
          {STAGES.map(({ stage, label }) => (
            <Th key={stage} className="px-3 text-right last:pr-4 max-sm:hidden">
              {label}
            </Th>
          ))}
          {currency !== null && <Th className="px-3 text-right last:pr-4 max-sm:hidden">Cost</Th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Tr key={`${row.key} ${row.label}`}>
            <Td className="min-w-24 align-top">
              <span className="flex items-baseline justify-between gap-3">
                <RowLabel by={by} row={row} />
                <span className="shrink-0 tabular-nums sm:hidden">{inDigits(row.accepted)}</span>
              </span>
              {row.accepted > 0 && <PhoneNumbers row={row} most={most} currency={currency} />}
            </Td>
            {STAGES.map(({ stage, fill }) => (
              <Td
                key={stage}
                className="px-3 text-right align-top whitespace-nowrap tabular-nums last:pr-4 sm:w-32 max-sm:hidden"
              >
                <Share stage={stage} row={row} most={most} fill={fill} />
              </Td>
            ))}
            {currency !== null && (
              <Td className="px-3 text-right align-top whitespace-nowrap tabular-nums last:pr-4 max-sm:hidden">
                <Money of={row} currency={currency} />
              </Td>
            )}
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

/** The numbers of a row where its columns have no room. */
const PhoneNumbers = ({
  row,
  most,
  currency,
}: {
  row: DeliveryReportRow;
  most: number;
  currency: string | null;
}) => (
  <div className="sm:hidden">
    <span className="my-1.5 block">
      <ShareBar part={row.accepted} whole={most} fill="bg-line-strong" />
    </span>
    <dl className="grid grid-cols-2 gap-x-6 gap-y-0.5 text-sm">
      {STAGES.slice(1).map(({ stage, label, fill }) => (
        <div key={stage} className="flex items-baseline gap-1.5">
          <span aria-hidden className={cx('size-2 shrink-0 rounded-full', fill)} />
          <dt className="text-muted">{label}</dt>
          <dd className="ml-auto tabular-nums">{formatShare(row[stage], row.accepted)}</dd>
        </div>
      ))}
      {row.median_answer_seconds !== null && (
        <div className="flex items-baseline gap-1.5">
          <dt className="text-muted">Median answer</dt>
          <dd className="ml-auto whitespace-nowrap tabular-nums">{formatWait(row.median_answer_seconds)}</dd>
        </div>
      )}
      {currency !== null && (
        <div className="col-span-2 flex items-baseline gap-1.5">
          <dt className="text-muted">Cost</dt>
          <dd className="ml-auto text-right tabular-nums">
            <Money of={row} currency={currency} />
          </dd>
        </div>
      )}
    </dl>
  </div>
);

/** What messages cost as far as it is known, and how many have no price. */
function Money({
  of: { accepted, cost, unpriced },
  currency,
}: {
  of: Pick<DeliveryReportRow, 'accepted' | 'cost' | 'unpriced'>;
  currency: string;
}) {
  if (accepted === 0) return <span className="text-muted">–</span>;
  return (
    <>
      {cost === null ? <span className="text-muted">Unknown</span> : formatMoney(cost, currency)}
      {cost !== null && unpriced > 0 && (
        <span className="block text-xs text-muted">+ {inDigits(unpriced)} without a price</span>
      )}
    </>
  );
}

interface ShareProps {
  stage: (typeof STAGES)[number]['stage'];
  row: DeliveryReportRow;
  most: number;
  fill: string;
}

/** Of accepted messages the bar compares rows, of the others it is their share of the row. */
function Share({ stage, row, most, fill }: ShareProps) {
  if (row.accepted === 0) return <span className="text-muted">{stage === 'accepted' ? 0 : '–'}</span>;
  const whole = stage === 'accepted' ? most : row.accepted;
  return (
    <>
      <span className="flex items-baseline justify-end gap-x-1.5">
        {inDigits(row[stage])}
        {stage !== 'accepted' && (
          <span className="text-sm text-muted">{formatShare(row[stage], row.accepted)}</span>
        )}
      </span>
      <span className="mt-1 block">
        <ShareBar part={row[stage]} whole={whole} fill={fill} />
      </span>
      {stage === 'answered' && row.median_answer_seconds !== null && (
        <span className="mt-1 block text-xs text-muted">median {formatWait(row.median_answer_seconds)}</span>
      )}
    </>
  );
}

function RowLabel({ by, row: { key, label } }: { by: ReportGrouping; row: DeliveryReportRow }) {
  if (by === 'day')
    return (
      <time dateTime={key} title={key} className="font-medium whitespace-nowrap">
        {formatDay(key)}
      </time>
    );
  if (by === 'workflow' && key !== '')
    return (
      <Link href={`/workflows/${key}`} prefetch={false} className="font-medium hover:underline">
        {label}
      </Link>
    );
  return <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{label}</span>;
}
