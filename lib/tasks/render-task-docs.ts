import { type DescribedTaskType, describeTaskTypes } from './describe-task-types.ts';

/** The parts of a field's JSON Schema that the page shows. */
interface Field {
  title?: string;
  description?: string;
  default?: unknown;
  enum?: readonly unknown[];
  items?: { properties?: Readonly<Record<string, Field>> };
  'x-labels'?: Readonly<Record<string, string>>;
  'x-variables'?: boolean;
}

type Fields = Readonly<Record<string, Field>>;

const INTRODUCTION = `# Task types

Every task type with its settings and output, as the editor and the API (\`/api/v1/openapi.json\`) know them. This page is
made from the definitions in \`lib/tasks\`; the READMEs in their folders say what each type does, and how it fails.
Settings marked with \`{{…}}\` take variables ([variables.md](variables.md)); the output is read as \`task_<id>_<name>\`.
`;

/** The page of the docs about task types, as Markdown. */
export const renderTaskDocs = (): string =>
  `${[INTRODUCTION, ...describeTaskTypes().map(renderType)].join('\n')}`;

function renderType({ type, name, summary, branches, settings, outputs }: DescribedTaskType): string {
  const output = renderTable('output', outputs['properties'] as Fields | undefined);
  return [
    `## ${name} (\`${type}\`)\n\n${summary}\n`,
    branches.length === 0 ? '' : `Branches: ${branches.map(asCode).join(', ')}.\n`,
    renderTable('setting', settings['properties'] as Fields | undefined),
    output,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function renderTable(heading: string, fields: Fields = {}): string {
  const rows = listRows(fields);
  return rows.length === 0 ? '' : `| ${heading} | meaning |\n|---|---|\n${rows.join('')}`;
}

const listRows = (fields: Fields, prefix = ''): string[] =>
  Object.entries(fields).flatMap(([name, field]) => [
    `| ${asCode(prefix + name)} | ${escapeCell(describe(field))} |\n`,
    ...listRows(field.items?.properties ?? {}, `${prefix}${name}[].`),
  ]);

function describe({ title, description, default: initial, enum: values, ...field }: Field): string {
  const labels = field['x-labels'] ?? {};
  const choices = values?.map((value) => {
    const label = labels[String(value)];
    return label === undefined ? asCode(String(value)) : `${asCode(String(value))} (${label})`;
  });
  const isEmpty = initial === undefined || initial === '' || (Array.isArray(initial) && initial.length === 0);
  return [
    title === undefined ? '' : `**${title}**${field['x-variables'] ? ' `{{…}}`' : ''}.`,
    description ?? '',
    choices ? `One of ${choices.join(', ')}.` : '',
    isEmpty ? '' : `Default: ${asCode(typeof initial === 'string' ? initial : JSON.stringify(initial))}.`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

const asCode = (text: string): string => `\`${text}\``;

const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
