'use client';
import { ChevronDown, ChevronRight } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { cx } from '#components/ui/cx.ts';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#components/ui/table.tsx';
import { groupRows } from './group-rows.ts';
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
        {groupRows(rows, kind.group?.keyOf).map(({ key, rows: own }) =>
          key === null || !kind.group ? (
            <Row key={own[0].id} kind={kind} row={own[0]} selection={selection} />
          ) : (
            <Group key={`group ${key}`} kind={kind} group={kind.group} rows={own} selection={selection} />
          ),
        )}
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

function nameOf<Data extends ListRow>(kind: ListKind<Data>, row: Data): string {
  const { workflowName, workflowId } = row;
  return workflowName ?? (workflowId === null ? (kind.nameOf?.(row) ?? 'No workflow') : 'Deleted workflow');
}

/** Rows of one key, newest first: one row that shows the others. */
function Group<Data extends ListRow>({
  kind,
  group: { title, count, notes },
  rows,
  selection,
}: {
  kind: ListKind<Data>;
  group: NonNullable<ListKind<Data>['group']>;
  rows: readonly [Data, ...Data[]];
  selection: Selection | null;
}) {
  const [isOpen, setOpen] = useState(false);
  const [newest] = rows;
  const chosen = rows.filter(({ id }) => selection?.selected.has(id)).length;
  const choose = (checked: boolean) => {
    const next = new Set(selection?.selected);
    for (const { id } of rows)
      if (checked) next.add(id);
      else next.delete(id);
    selection?.setSelected(next);
  };
  const Icon = isOpen ? ChevronDown : ChevronRight;
  const arrived = <RelativeTime at={kind.arrivedAt(newest)} />;
  return (
    <>
      <Tr className="relative">
        {selection && (
          <Td className="relative z-10 w-10 pr-0 align-top">
            <Checkbox
              label={`Select ${count(rows.length)}`}
              hideLabel
              checked={chosen === 0 ? false : chosen === rows.length ? true : 'indeterminate'}
              onCheckedChange={(checked) => choose(checked)}
            />
          </Td>
        )}
        <Td className="w-36 align-top">{kind.state.cell(newest)}</Td>
        <Td className="max-w-0 sm:max-w-sm lg:max-w-lg">
          <span className="flex items-start gap-2">
            <button
              type="button"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
              className="inline-flex min-w-0 cursor-pointer items-start gap-1 text-left font-medium after:absolute after:inset-0 hover:underline"
            >
              <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
              {title}
            </button>
            <Badge>{rows.length}</Badge>
          </span>
          {notes(newest)}
          <p className="text-sm text-muted sm:hidden">{arrived}</p>
        </Td>
        <Td className="w-36 align-top text-muted max-sm:hidden">{arrived}</Td>
        {kind.columns.map(({ title: column, className }) => (
          <Td key={column} className={`align-top ${className}`} />
        ))}
      </Tr>
      {isOpen &&
        rows.map((row) => <Row key={row.id} kind={kind} row={row} selection={selection} isInGroup />)}
    </>
  );
}

function Row<Data extends ListRow>({
  kind,
  row,
  selection,
  isInGroup = false,
}: {
  kind: ListKind<Data>;
  row: Data;
  selection: Selection | null;
  isInGroup?: boolean;
}) {
  const name = nameOf(kind, row);
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
      <Td className={cx('max-w-0 sm:max-w-sm lg:max-w-lg', isInGroup && 'pl-9')}>
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
