import { formatShare, inDigits } from '#components/reports/report-span.ts';
import { Badge, type Tone } from '#components/ui/badge.tsx';
import { cx } from '#components/ui/cx.ts';
import type { ListState, RowCounts, RowState, SkipReason } from '#lib/lists/schema.ts';

const STATES: Readonly<Record<ListState, { label: string; tone: Tone }>> = {
  checking: { label: 'Checking rows', tone: 'info' },
  ready: { label: 'Not started', tone: 'neutral' },
  running: { label: 'Running', tone: 'info' },
  paused: { label: 'Paused', tone: 'warning' },
  stopped: { label: 'Stopped', tone: 'danger' },
  finished: { label: 'Finished', tone: 'success' },
};

export const ListStateBadge = ({ state }: { state: ListState }) => (
  <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>
);

interface RowStateLook {
  label: string;
  tone: Tone;
  fill: string;
}

export const ROW_STATE_LOOKS: Readonly<Record<RowState, RowStateLook>> = {
  succeeded: { label: 'Succeeded', tone: 'success', fill: 'bg-success' },
  failed: { label: 'Failed', tone: 'danger', fill: 'bg-danger' },
  cancelled: { label: 'Cancelled', tone: 'warning', fill: 'bg-warning' },
  running: { label: 'Running', tone: 'info', fill: 'bg-info' },
  waiting: { label: 'Not started', tone: 'neutral', fill: 'bg-line-strong' },
  skipped: { label: 'Skipped', tone: 'neutral', fill: 'bg-cable-violet' },
};

/** Always shown, also while no row is in them. */
const USUAL: readonly RowState[] = ['succeeded', 'failed', 'running', 'waiting'];

/** The rows that get a run, by state. */
export const toCounts = (counts: RowCounts): RowStateCount[] =>
  (Object.keys(ROW_STATE_LOOKS) as RowState[])
    .filter((state) => state !== 'skipped' && (counts[state] > 0 || USUAL.includes(state)))
    .map((state) => ({
      state,
      count: counts[state],
      label: ROW_STATE_LOOKS[state].label,
      fill: ROW_STATE_LOOKS[state].fill,
    }));

/** How many rows get a run. */
export const countRuns = ({ waiting, running, ...ended }: RowCounts): number =>
  waiting + running + countEnded(ended);

/** How many of them have ended. */
export const countEnded = ({
  succeeded,
  failed,
  cancelled,
}: Omit<RowCounts, 'waiting' | 'running'>): number => succeeded + failed + cancelled;

/** Why rows are skipped. */
export const SKIP_WORDS: Readonly<Record<SkipReason, string>> = {
  invalid: 'No valid phone number',
  duplicate: 'The number is in an earlier row',
  opted_out: 'The customer stopped messages',
  on_hold: 'The customer is on hold',
  over_tier: 'Over the number’s daily limit of customers',
  stopped: 'The list was stopped before',
};

/** "1 row", "1,200 rows" */
export const countRows = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}`;

/** "1 person", "1,200 people" */
export const countPeople = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'person' : 'people'}`;

export interface RowStateCount {
  state: string;
  label: string;
  count: number;
  /** The class of its color. */
  fill: string;
}

/** How many rows are in each state, as one bar with its numbers below. @param onChoose shows the rows of a state */
export function RowStates({
  label,
  counts,
  onChoose,
}: {
  label: string;
  counts: readonly RowStateCount[];
  onChoose?: (state: string) => void;
}) {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return (
    <div>
      <StateBar counts={counts} />
      <dl aria-label={label} className="mt-3 flex flex-wrap gap-x-8 gap-y-3">
        {counts.map(({ state, label: name, count, fill }) => (
          <div key={state}>
            <dt className="flex items-center gap-2 text-sm text-muted">
              <span aria-hidden className={cx('size-2 shrink-0 rounded-full', fill)} />
              {name}
            </dt>
            <dd className="pl-4 text-lg font-semibold tabular-nums">
              {onChoose && count > 0 ? (
                <button
                  type="button"
                  aria-label={`${inDigits(count)} ${name}: show these rows`}
                  onClick={() => onChoose(state)}
                  className="cursor-pointer rounded-sm hover:text-accent hover:underline"
                >
                  {inDigits(count)}
                </button>
              ) : (
                inDigits(count)
              )}
              <span className="ml-1.5 text-sm font-normal text-muted">{formatShare(count, total)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The same as a bar only; its numbers are beside it. */
export function StateBar({
  counts,
  className = 'h-2.5',
}: {
  counts: readonly RowStateCount[];
  className?: string;
}) {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return (
    <span aria-hidden className={cx('flex gap-px overflow-hidden rounded-full bg-hover', className)}>
      {counts.map(
        ({ state, count, fill }) =>
          count > 0 && (
            <span
              key={state}
              className={cx('h-full min-w-1 transition-[width]', fill)}
              style={{ width: `${(100 * count) / total}%` }}
            />
          ),
      )}
    </span>
  );
}
