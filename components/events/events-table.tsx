'use client';
import Link from 'next/link';
import type { NamedWorkflow } from '#components/runs/run-view-types.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#components/ui/table.tsx';
import { EventOutcomeLabel } from './event-outcome.tsx';
import type { EventListRow } from './event-view-types.ts';
import { formatBytes } from './format-bytes.ts';

interface Selection {
  selected: ReadonlySet<string>;
  setSelected: (selected: ReadonlySet<string>) => void;
}

/** Events, one a row; without `selection` they cannot be chosen. */
export function EventsTable({
  rows,
  workflows,
  selection,
}: {
  rows: readonly EventListRow[];
  workflows: readonly NamedWorkflow[];
  selection?: Selection;
}) {
  const names = new Map(workflows.map(({ id, name }) => [id, name]));
  const allChosen = rows.length > 0 && rows.every(({ id }) => selection?.selected.has(id));
  const someChosen = rows.some(({ id }) => selection?.selected.has(id));
  return (
    <Table label="Events">
      <thead>
        <tr>
          {selection && (
            <Th className="w-10 pr-0">
              <Checkbox
                label="Select all that are shown"
                hideLabel
                checked={allChosen ? true : someChosen ? 'indeterminate' : false}
                onCheckedChange={(checked) =>
                  selection.setSelected(new Set(checked ? rows.map(({ id }) => id) : []))
                }
              />
            </Th>
          )}
          <Th>Outcome</Th>
          <Th>Workflow</Th>
          <Th className="max-sm:hidden">Arrived</Th>
          <Th className="max-md:hidden">Run</Th>
          <Th className="text-right max-md:hidden">Size</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <EventsRow
            key={row.id}
            row={row}
            name={names.get(row.workflowId) ?? 'Deleted workflow'}
            selection={selection}
          />
        ))}
      </tbody>
    </Table>
  );
}

function EventsRow({
  row,
  name,
  selection,
}: {
  row: EventListRow;
  name: string;
  selection: Selection | undefined;
}) {
  const choose = (checked: boolean) => {
    const next = new Set(selection?.selected);
    if (checked) next.add(row.id);
    else next.delete(row.id);
    selection?.setSelected(next);
  };
  return (
    <Tr className="relative">
      {selection && (
        <Td className="relative z-10 w-10 pr-0 align-top">
          <Checkbox
            label={`Select the event of ${name}`}
            hideLabel
            checked={selection.selected.has(row.id)}
            onCheckedChange={choose}
          />
        </Td>
      )}
      <Td className="w-36 align-top">
        <EventOutcomeLabel outcome={row.outcome} />
      </Td>
      <Td className="max-w-0 sm:max-w-sm lg:max-w-lg">
        <Link
          href={`/events/${row.id}`}
          prefetch={false}
          className="font-medium after:absolute after:inset-0 hover:underline"
        >
          {name}
        </Link>{' '}
        {row.kind === 'test' && <Badge tone="info">test</Badge>} {row.isReplay && <Badge>replay</Badge>}
        {row.reason && <p className="truncate text-sm text-muted">{row.reason}</p>}
        <p className="text-sm text-muted sm:hidden">
          <RelativeTime at={row.receivedAt} />
        </p>
      </Td>
      <Td className="w-36 align-top text-muted max-sm:hidden">
        <RelativeTime at={row.receivedAt} />
      </Td>
      <Td className="relative z-10 w-24 align-top max-md:hidden">
        {row.runId ? (
          <Link
            href={`/runs/${row.runId}`}
            prefetch={false}
            aria-label={`Run of this event of ${name}`}
            className="text-accent underline hover:no-underline"
          >
            Run
          </Link>
        ) : (
          <span className="text-muted">–</span>
        )}
      </Td>
      <Td className="w-24 text-right align-top whitespace-nowrap text-muted tabular-nums max-md:hidden">
        {row.bodyBytes === null ? '–' : formatBytes(row.bodyBytes)}
      </Td>
    </Tr>
  );
}
