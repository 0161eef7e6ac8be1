import type { ReactNode } from 'react';
import { cx } from '#components/ui/cx.ts';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#components/ui/table.tsx';
import type { StoredFigures } from '#lib/workflows/retention/stored-types.ts';
import { formatCount, formatSize, KIND_WORDS } from './retention-words.ts';

/** On phones these numbers are below the label. */
const WIDE = 'hidden sm:table-cell';

/** What is stored of each kind, how fast it grows, and what is past its retention. */
export const StoredTable = ({
  stored,
  mediaDays,
}: {
  stored: readonly StoredFigures[];
  mediaDays: number;
}) => (
  <section className="flex flex-col gap-3">
    <div>
      <h2 className="text-lg font-semibold">Stored data</h2>
      <p className="text-muted">
        Sizes are estimated from the newest rows. Growth is the average of the last 7 days.
      </p>
    </div>
    <Table label="Stored data">
      <thead>
        <tr>
          <Th>Data</Th>
          <Th className="text-right">Stored</Th>
          <Th className={cx('text-right', WIDE)}>Per day</Th>
          <Th className={cx('text-right', WIDE)}>To delete</Th>
        </tr>
      </thead>
      <tbody>
        {stored.map((each) => (
          <Tr key={each.kind}>
            <Td className="min-w-36 align-top">
              <span className="font-medium">{KIND_WORDS[each.kind].label}</span>
              {each.oldestAt !== null && (
                <span className="block text-sm text-muted">
                  Oldest: <RelativeTime at={each.oldestAt} />
                </span>
              )}
              <span className="block text-sm text-muted sm:hidden">
                {each.rowsADay > 0 && `${formatRate(each.rowsADay)} per day (${formatSize(each.bytesADay)})`}
                {each.due.rows > 0 && <span className="block">{formatCount(each.due)} to delete</span>}
              </span>
            </Td>
            <NumberCell>
              {formatCount(each)}
              {each.rows > 0 && <Size bytes={each.bytes} />}
            </NumberCell>
            <NumberCell className={WIDE}>
              {each.rowsADay === 0 ? '–' : formatRate(each.rowsADay)}
              {each.rowsADay > 0 && <Size bytes={each.bytesADay} />}
            </NumberCell>
            <NumberCell className={WIDE}>{each.due.rows === 0 ? '–' : formatCount(each.due)}</NumberCell>
          </Tr>
        ))}
      </tbody>
    </Table>
    <p className="text-sm text-muted">
      Files of customers and forms are deleted with the contents that link to them, and after{' '}
      {mediaDays.toLocaleString('en')} days at the latest. Workers delete in small steps, so a large backlog
      takes hours.
    </p>
  </section>
);

/** Rows a day. */
const formatRate = (rows: number): string =>
  rows < 1 ? 'less than 1' : Math.round(rows).toLocaleString('en');

const Size = ({ bytes }: { bytes: number }) => (
  <span className="block text-sm text-muted">{formatSize(bytes)}</span>
);

const NumberCell = ({ children, className }: { children: ReactNode; className?: string }) => (
  <Td className={cx('text-right align-top whitespace-nowrap tabular-nums', className)}>{children}</Td>
);
