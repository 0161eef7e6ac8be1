'use client';
import Link from 'next/link';
import { Badge } from '#components/ui/badge.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#components/ui/table.tsx';
import type { ListKind, ListRow } from './list-types.ts';

interface Selection {
  selected: ReadonlySet<string>;
  setSelected: (selected: ReadonlySet<string>) => void;
}

interface LiveTableProps<Row extends ListRow> {
  kind: ListKind<Row>;
  rows: readonly Row[];
  /** Null: rows cannot be selected. */
  selection: Selection | null;
}

/** Runs or events, one per row. */
export function LiveTable<Row extends ListRow>({ kind, rows, selection }: LiveTableProps<Row>) {
  return (
    <Table label={kind.title}>
      <thead>
        <tr>
          {selection && <SelectAll rows={rows} selection={selection} />}
          <Th>{kind.state.label}</Th>
          <Th>Workflow</Th>
          <Th className="max-sm:hidden">Arrived</Th>
          {kind.columns.map(({ title, className }) => (
            <Th key={title} className={className}>
              {title}
            </Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row
            key={row.id}
            kind={kind}
            row={row}
            name={
              row.workflowName ??
              (row.workflowId === null ? (kind.nameOf?.(row) ?? 'No workflow') : 'Deleted workflow')
            }
            selection={selection}
          />
        ))}
      </tbody>
    </Table>
  );
}

function SelectAll({ rows, selection }: { rows: readonly ListRow[]; selection: Selection }) {
  const chosen = rows.filter(({ id }) => selection.selected.has(id)).length;
  return (
    <Th className="w-10 pr-0">
      <Checkbox
        label="Select all on this page"
        hideLabel
        checked={chosen === 0 ? false : chosen === rows.length ? true : 'indeterminate'}
        onCheckedChange={(checked) => selection.setSelected(new Set(checked ? rows.map(({ id }) => id) : []))}
      />
    </Th>
  );
}

function Row<Data extends ListRow>({
  kind,
  row,
  name,
  selection,
}: {
  kind: ListKind<Data>;
  row: Data;
  name: string;
  selection: Selection | null;
}) {
  const arrived = <RelativeTime at={kind.arrivedAt(row)} />;
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
            label={`Select the ${kind.noun} of ${name}`}
            hideLabel
            checked={selection.selected.has(row.id)}
            onCheckedChange={choose}
          />
        </Td>
      )}
      <Td className="w-36 align-top">{kind.state.cell(row)}</Td>
      <Td className="max-w-0 sm:max-w-sm lg:max-w-lg">
        <Link
          href={`${kind.path}/${row.id}`}
          prefetch={false}
          className="font-medium after:absolute after:inset-0 hover:underline"
        >
          {name}
        </Link>{' '}
        {row.isWorkflowDeleted && <Badge>deleted</Badge>} {kind.marks(row)}
        {kind.notes(row)}
        <p className="text-sm text-muted sm:hidden">{arrived}</p>
      </Td>
      <Td className="w-36 align-top text-muted max-sm:hidden">{arrived}</Td>
      {kind.columns.map(({ title, className, cell }) => (
        <Td key={title} className={`align-top ${className}`}>
          {cell(row, name)}
        </Td>
      ))}
    </Tr>
  );
}
