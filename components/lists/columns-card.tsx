'use client';
import { useState } from 'react';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { Spinner } from '#components/ui/loading.tsx';
import { Table, Td, Th, Tr } from '#components/ui/table.tsx';
import type { ListMapping } from '#lib/lists/schema.ts';
import type { ListColumn } from '#lib/screens/lists/send-list-types.ts';

/** No country has this code. */
const NO_COUNTRY = '-';

export interface ColumnsCardProps {
  columns: readonly ListColumn[];
  /** Fields that the workflow uses and no column fills. */
  unfilled: readonly string[];
  mapping: ListMapping;
  countries: readonly { value: string; label: string }[];
  /** Left out for viewers. */
  change: ((mapping: ListMapping) => void) | undefined;
  busy: boolean;
  /** By path in the mapping. */
  problems: Readonly<Record<string, string | undefined>>;
}

/** Which column has the recipient, and which variable of the workflow each column fills. */
export function ColumnsCard({
  columns,
  unfilled,
  mapping,
  countries,
  change,
  busy,
  problems,
}: ColumnsCardProps) {
  const disabled = change === undefined || busy;
  const variableOf = (column: string): string =>
    Object.entries(mapping.variables).find(([, from]) => from === column)?.[0] ?? '';
  const changeVariable = (column: string, variable: string) => {
    const others = Object.entries(mapping.variables).filter(
      ([name, from]) => from !== column && name !== variable,
    );
    const own: [string, string][] = variable === '' ? [] : [[variable, column]];
    change?.({ ...mapping, variables: Object.fromEntries([...others, ...own]) });
  };
  return (
    <Card
      title="Columns"
      description="Each column fills the variable of the same name. Check them before you start."
      actions={busy && <Spinner label="Checking the rows" />}
    >
      <div className="flex flex-col gap-5">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Recipient column" error={problems['recipient']}>
            <Select
              options={columns.map(({ name, sample }) => ({
                value: name,
                label: name,
                ...(sample === '' ? {} : { description: sample }),
              }))}
              value={mapping.recipient}
              placeholder="Choose the column with phone numbers"
              disabled={disabled}
              onValueChange={(name) => change?.({ ...mapping, recipient: name })}
            />
          </Field>
          <Field
            label="Default country"
            help="For numbers without a country code."
            error={problems['default_country']}
          >
            <Select
              options={[{ value: NO_COUNTRY, label: 'None: every number has its code' }, ...countries]}
              value={mapping.default_country ?? NO_COUNTRY}
              disabled={disabled}
              onValueChange={(country) =>
                change?.({ ...mapping, default_country: country === NO_COUNTRY ? null : country })
              }
            />
          </Field>
        </div>
        {unfilled.length > 0 && (
          <Callout tone="warning" title="Variables without a column">
            The workflow uses {unfilled.map((field) => `{{${field}}}`).join(', ')}. They stay empty unless a
            column has that variable.
          </Callout>
        )}
        <Table label="Columns of the file">
          <thead>
            <tr>
              <Th>Column</Th>
              <Th className="max-sm:hidden">First value</Th>
              <Th>Variable</Th>
            </tr>
          </thead>
          <tbody>
            {columns.map((column) => (
              <ColumnRow
                key={column.name}
                column={column}
                disabled={disabled}
                variable={variableOf(column.name)}
                problem={problems[`variables.${variableOf(column.name)}`]}
                change={(variable) => changeVariable(column.name, variable)}
              />
            ))}
          </tbody>
        </Table>
      </div>
    </Card>
  );
}

interface ColumnRowProps {
  column: ListColumn;
  /** Empty: the column is left out. */
  variable: string;
  disabled: boolean;
  problem: string | undefined;
  change: (variable: string) => void;
}

function ColumnRow({ column: { name, sample }, variable, disabled, problem, change }: ColumnRowProps) {
  const [text, setText] = useState(variable);
  const [shown, setShown] = useState(variable);
  if (shown !== variable) {
    setShown(variable);
    setText(variable);
  }
  const keep = () => {
    const next = text.trim();
    if (next !== variable) change(next);
  };
  return (
    <Tr>
      <Td className="align-top break-words sm:pt-4.5">
        <span className="font-medium">{name}</span>
        <span className="block text-sm break-all text-muted sm:hidden">{sample}</span>
      </Td>
      <Td className="align-top break-words text-muted sm:pt-4.5 max-sm:hidden">{sample || '–'}</Td>
      <Td className="w-1/2 align-top">
        <Field label={`Variable for ${name}`} hideLabel error={problem}>
          <Input
            value={text}
            disabled={disabled}
            placeholder="Left out"
            maxLength={200}
            spellCheck={false}
            className="w-full font-mono sm:text-sm"
            onChange={({ target }) => setText(target.value)}
            onBlur={keep}
            onKeyDown={({ key }) => {
              if (key === 'Enter') keep();
            }}
          />
        </Field>
      </Td>
    </Tr>
  );
}
