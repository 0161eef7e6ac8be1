import Link from 'next/link';
import { Card } from '#components/ui/card.tsx';
import { FREE } from '#lib/messaging/schema/message-prices.ts';
import { codeTitle } from '#lib/messaging/schema/number-words.ts';
import type { DeliveryReport } from '#lib/screens/report-types.ts';
import { formatMoney, formatShare, formatWait, inDigits } from './report-span.ts';
import { ShareBar, STAGES } from './report-table.tsx';

/** How far all messages came. */
export const Totals = ({ totals }: { totals: DeliveryReport['totals'] }) => (
  <dl
    aria-label="All messages"
    className="grid grid-cols-2 gap-x-6 gap-y-4 rounded-lg border border-line bg-surface px-5 py-4 shadow-raised sm:grid-cols-3 xl:grid-cols-6"
  >
    {STAGES.map(({ stage, label, fill }) => (
      <div key={stage} className="min-w-0">
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
          {stage === 'answered' && totals.median_answer_seconds !== null && (
            <span className="mt-1 block text-xs text-muted">
              median {formatWait(totals.median_answer_seconds)}
            </span>
          )}
        </dd>
      </div>
    ))}
  </dl>
);

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

interface CostsProps {
  report: Pick<DeliveryReport, 'categories' | 'currency' | 'totals'>;
  canEdit: boolean;
}

/** Under which categories the platform charges messages, and what that costs. */
export function Costs({ report: { categories, currency, totals }, canEdit }: CostsProps) {
  if (totals.delivered === 0) return null;
  return (
    <Card
      title="Cost"
      description="Delivered messages by the category that the platform reported with each, at the prices that your workspace entered: the platform does not report prices."
      actions={
        canEdit && (
          <Link
            href="/settings/prices"
            className="text-sm font-medium text-accent underline underline-offset-2"
          >
            {currency === null ? 'Enter prices' : 'Edit prices'}
          </Link>
        )
      }
    >
      <dl className="flex flex-wrap gap-x-10 gap-y-4">
        {currency !== null && (
          <div>
            <dt className="text-sm text-muted">All messages</dt>
            <dd className="text-lg font-semibold tabular-nums">
              {totals.cost === null ? 'Unknown' : formatMoney(totals.cost, currency)}
            </dd>
          </div>
        )}
        {categories.map(({ category, messages, price, cost }) => (
          <div key={category}>
            <dt className="text-sm text-muted">
              {category === FREE ? 'Free of charge' : codeTitle(category)}
            </dt>
            <dd className="tabular-nums">
              <span className="text-lg font-semibold">{inDigits(messages)}</span>
              {currency !== null && category !== FREE && (
                <span className="block text-sm text-muted">
                  {price === null || cost === null
                    ? 'No price'
                    : `${formatMoney(cost, currency)} at ${formatMoney(price, currency)}`}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {totals.unpriced > 0 && (
        <p className="mt-4 max-w-prose text-sm text-muted">
          {currency === null
            ? 'No prices are entered, so costs are unknown.'
            : `${totals.unpriced === 1 ? 'One delivered message has' : `${inDigits(totals.unpriced)} delivered messages have`} no price or no category and are not in the cost.`}
        </p>
      )}
    </Card>
  );
}
