'use client';
import Link from 'next/link';
import { Badge } from '#components/ui/badge.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#components/ui/table.tsx';
import { formatDuration } from './format-duration.ts';
import { isOver, RunStatusLabel } from './run-status.tsx';
import type { NamedWorkflow, RunRow } from './run-view-types.ts';

interface Selection {
  selected: ReadonlySet<string>;
  setSelected: (selected: ReadonlySet<string>) => void;
}

/** Runs, one a row; without `selection` they cannot be chosen. */
export function RunsTable({
  rows,
  workflows,
  selection,
}: {
  rows: readonly RunRow[];
  workflows: readonly NamedWorkflow[];
  selection?: Selection;
}) {
  const names = new Map(workflows.map(({ id, name }) => [id, name]));
  const allChosen = rows.length > 0 && rows.every(({ id }) => selection?.selected.has(id));
  const someChosen = rows.some(({ id }) => selection?.selected.has(id));
  return (
    <Table label="Runs">
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
          <Th>Status</Th>
          <Th>Workflow</Th>
          <Th className="max-sm:hidden">Arrived</Th>
          <Th className="text-right max-md:hidden">Took</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <RunsRow
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

function RunsRow({ row, name, selection }: { row: RunRow; name: string; selection: Selection | undefined }) {
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
            label={`Select the run of ${name}`}
            hideLabel
            checked={selection.selected.has(row.id)}
            onCheckedChange={choose}
          />
        </Td>
      )}
      <Td className="w-36 align-top">
        <RunStatusLabel status={row.status} />
      </Td>
      <Td className="max-w-0 sm:max-w-sm lg:max-w-lg">
        <Link
          href={`/runs/${row.id}`}
          prefetch={false}
          className="font-medium after:absolute after:inset-0 hover:underline"
        >
          {name}
        </Link>{' '}
        <span className="text-sm text-muted">v{row.version}</span> {row.isRetry && <Badge>retry</Badge>}
        {row.problem && <p className="truncate text-sm text-danger">{row.problem}</p>}
        {row.status === 'waiting' && row.resumeAt && (
          <p className="text-sm text-muted">
            goes on <RelativeTime at={row.resumeAt} />
          </p>
        )}
        <p className="text-sm text-muted sm:hidden">
          <RelativeTime at={row.createdAt} />
        </p>
      </Td>
      <Td className="w-36 align-top text-muted max-sm:hidden">
        <RelativeTime at={row.createdAt} />
      </Td>
      <Td className="w-28 align-top text-right whitespace-nowrap text-muted tabular-nums max-md:hidden">
        {isOver(row.status) && row.finishedAt
          ? formatDuration(Date.parse(row.finishedAt) - Date.parse(row.createdAt))
          : '–'}
      </Td>
    </Tr>
  );
}
