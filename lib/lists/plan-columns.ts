// What the columns of a list are: the number of the customer, and fields of the body that each row's run gets. Isomorphic.
import { AppError } from '#lib/core/errors.ts';
import type { ListMapping } from './schema.ts';

const NUMBER_NAMES = [
  'phone',
  'phone_number',
  'phonenumber',
  'number',
  'recipient',
  'mobile',
  'cell',
  'msisdn',
  'whatsapp',
  'to',
  'telephone',
  'tel',
  'contact',
];

/** The name as a field of a body: letters, digits and underscores. */
const toFieldName = (column: string): string =>
  column
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toLowerCase() || 'column';

/** Whether most of the values look like numbers of customers. */
const looksLikeNumbers = (values: readonly unknown[]): boolean => {
  const filled = values.map(String).filter((value) => value.trim() !== '');
  const fitting = filled.filter(
    (value) => /^\+?[\d\s().\-/]{7,20}$/.test(value) && /\d{7}/.test(value.replaceAll(/\D/g, '')),
  );
  return filled.length > 0 && fitting.length >= filled.length * 0.8;
};

/**
 * The mapping that a new list begins with: every column is a field with the name of the column.
 * @param samples some of its rows
 */
export function planColumns(
  columns: readonly string[],
  samples: readonly (readonly unknown[])[],
  {
    recipient,
    defaultCountry = null,
  }: { recipient?: string | undefined; defaultCountry?: string | null } = {},
): ListMapping {
  const named = columns.find((column) => NUMBER_NAMES.includes(toFieldName(column)));
  const looking = columns.find((_, index) => looksLikeNumbers(samples.map((values) => values[index] ?? '')));
  const variables: Record<string, string> = {};
  for (const column of columns) {
    const field = toFieldName(column);
    let name = field;
    for (let copy = 2; Object.hasOwn(variables, name); copy += 1) name = `${field}_${copy}`;
    variables[name] = column;
  }
  const mapping = {
    recipient: recipient ?? named ?? looking ?? columns[0] ?? '',
    default_country: defaultCountry,
    variables,
  };
  checkMapping(mapping, columns);
  return mapping;
}

/** @throws AppError `invalid_request` for columns that do not exist and fields that contradict each other */
export function checkMapping({ recipient, variables }: ListMapping, columns: readonly string[]): void {
  const problems: { path: string; message: string }[] = [];
  const unknown = (column: string): string =>
    `The list has no column “${column}”. Its columns are ${columns.map((name) => `“${name}”`).join(', ')}.`;
  if (!columns.includes(recipient)) problems.push({ path: 'recipient', message: unknown(recipient) });
  const paths = Object.keys(variables);
  for (const [path, column] of Object.entries(variables)) {
    if (!columns.includes(column)) problems.push({ path: `variables.${path}`, message: unknown(column) });
    if (path.split('.').some((part) => part === '' || part === '__proto__'))
      problems.push({ path: `variables.${path}`, message: 'This is not the name of a field.' });
    const inside = paths.find((other) => other.startsWith(`${path}.`));
    if (inside !== undefined)
      problems.push({
        path: `variables.${path}`,
        message: `“${inside}” makes it an object: it cannot have a value.`,
      });
  }
  if (problems.length > 0) throw new AppError('invalid_request', problems[0]?.message ?? '', { problems });
}

/** The body of a row's run. */
export function toBody(
  { variables }: ListMapping,
  columns: readonly string[],
  values: readonly unknown[],
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [path, column] of Object.entries(variables)) {
    const parts = path.split('.');
    const last = parts.pop() ?? '';
    let at = body;
    for (const part of parts) at = (at[part] ??= {}) as Record<string, unknown>;
    at[last] = values[columns.indexOf(column)] ?? null;
  }
  return body;
}
