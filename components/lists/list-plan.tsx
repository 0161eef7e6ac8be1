'use client';
import type { ReactNode } from 'react';
import { writeNumber } from '#components/live/customer-words.ts';
import { formatMoney, inDigits } from '#components/reports/report-span.ts';
import { CapturedMessage } from '#components/runs/captured-message.tsx';
import { readCaptured } from '#components/runs/read-captured.ts';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import { Deadline } from '#components/ui/relative-time.tsx';
import { Fact, Facts } from '#components/ui/table.tsx';
import { codeTitle } from '#lib/messaging/schema/number-words.ts';
import type { ListPlan, PhoneMessage, PhoneOfRow, SkippedRows } from '#lib/screens/lists/send-list-types.ts';
import { countPeople, countRows, SKIP_WORDS } from './list-states.tsx';

/** The messages of the first rows, as on the phones of their recipients. */
export const PhonesCard = ({ phones }: { phones: readonly PhoneOfRow[] }) => (
  <Card
    title="Messages"
    description="What the first recipients get, with the values of their rows. What comes after an answer, a wait or a request to another service is not shown."
  >
    {phones.length === 0 ? (
      <p className="text-muted">No row gets a message yet. Check the recipient column.</p>
    ) : (
      <ul
        aria-label="Messages of the first rows"
        tabIndex={0}
        className="-mx-5 flex snap-x scroll-px-5 gap-4 overflow-x-auto px-5 pb-3"
      >
        {phones.map(({ line, recipient, messages }) => (
          <li key={line} className="flex w-72 shrink-0 snap-start flex-col gap-4">
            {messages.length === 0 && (
              <p className="text-muted">
                No message to <span className="font-mono">{writeNumber(recipient)}</span> at first.
              </p>
            )}
            {messages.map((message, index) => (
              <Message key={index} {...message} />
            ))}
          </li>
        ))}
      </ul>
    )}
  </Card>
);

function Message({ taskName, captured, problem }: PhoneMessage) {
  const effect = captured === null ? undefined : readCaptured(captured);
  return (
    <div className="flex flex-col gap-2">
      {effect?.kind === 'message' && <CapturedMessage message={effect} />}
      {problem !== null && (
        <Callout tone="warning" title={taskName}>
          {problem}
        </Callout>
      )}
    </div>
  );
}

/** The rows that get no run, by reason. @param onShow lists all of them */
export function SkippedCard({ skipped, onShow }: { skipped: readonly SkippedRows[]; onShow: () => void }) {
  const total = skipped.reduce((sum, { count }) => sum + count, 0);
  return (
    <Card
      title="Skipped rows"
      description={
        total === 0
          ? 'Every row gets a run.'
          : `${countRows(total)} ${total === 1 ? 'gets' : 'get'} no run and no message.`
      }
      actions={
        total > 0 && (
          <Button size="sm" onClick={onShow}>
            Show all
          </Button>
        )
      }
    >
      {total > 0 && (
        <ul className="-my-1 flex flex-col divide-y divide-line">
          {skipped.map(({ reason, count, examples }) => (
            <li key={reason} className="flex gap-4 py-2.5">
              <span className="w-12 shrink-0 text-right text-lg font-semibold tabular-nums">
                {inDigits(count)}
              </span>
              <div className="min-w-0">
                <p className="font-medium">{SKIP_WORDS[reason]}</p>
                <p className="text-sm break-words text-muted">
                  {examples
                    .map(({ line, value }) => `Line ${line}: ${value === '' ? 'empty' : writeNumber(value)}`)
                    .join(' · ')}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** What starting the list would send, what that costs and when it ends. */
export function ForecastCard({
  plan: { people, messages, currency, tierLeft },
  endsAt,
}: {
  plan: ListPlan;
  endsAt: string | null;
}) {
  return (
    <Card title="Forecast" description="At most: one message for each task that sends, on any branch.">
      <Facts>
        <Fact label="Recipients">
          <Figure>{countPeople(people)}</Figure>
        </Fact>
        {messages.map(({ category, count, cost }) => (
          <Fact key={category} label={category === null ? 'Free texts' : `${codeTitle(category)} messages`}>
            <Figure>{inDigits(count)}</Figure>
            {cost !== null && <span className="block text-sm text-muted">{formatMoney(cost, currency)}</span>}
          </Fact>
        ))}
        {tierLeft !== null && (
          <Fact label="Left of the number’s daily limit">
            <Figure>{countPeople(tierLeft)}</Figure>
          </Fact>
        )}
        {endsAt !== null && (
          <Fact label="Last row starts, if started now">
            <Figure>
              <Deadline at={endsAt} />
            </Figure>
          </Fact>
        )}
      </Facts>
    </Card>
  );
}

const Figure = ({ children }: { children: ReactNode }) => (
  <span className="text-lg font-semibold tabular-nums">{children}</span>
);
