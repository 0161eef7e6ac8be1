import * as z from 'zod';
import { TASK_EXAMPLES } from './examples.ts';
import { findTaskKind } from './kinds.ts';
import { TASK_DEFINITIONS } from './registry.ts';
import { FORM_ONLY_META, type TaskDefinition } from './task-definition.ts';
import type { TaskExample } from './task-example.ts';
import type { TaskCategory } from './task-kind.ts';

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

Every task type with an example, its settings and its output, as the editor and the API (\`/api/v1/openapi.json\`) know them. Settings marked with
\`{{…}}\` take [variables](variables.md); later tasks read the output as \`{{task_<id>_<name>}}\`.

In the examples task 1 is the trigger, and the task itself comes after it. Settings are written as the API and exported files have them; a setting
that is left out has its default. \`app_connection_id\` is the ID of a connection, \`called_workflow\` that of a workflow. \`…\` replaces what is different each time. The tests run all
examples. This page is made from the definitions in \`lib/tasks\`, where the READMEs say how each type fails.
`;

/** The page of the docs about task types, as Markdown. */
export const renderTaskDocs = (): string =>
  `${[INTRODUCTION, ...describeTaskTypes().map(renderType)].join('\n')}`;

function renderType({ type, name, summary, branches, settings, outputs }: DescribedTaskType): string {
  const output = renderTable('output', outputs['properties'] as Fields | undefined);
  return [
    `## ${name} (\`${type}\`)\n\n${summary}\n`,
    branches.length === 0 ? '' : `Branches: ${branches.map(asCode).join(', ')}.\n`,
    renderExample(type),
    renderTable('setting', settings['properties'] as Fields | undefined),
    output,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function renderExample(type: string): string {
  const example = TASK_EXAMPLES.get(type);
  return example ? toMarkdown(example, type) : '';
}

function toMarkdown(
  { says, event, before = [], settings, meanwhile, output }: TaskExample,
  type: string,
): string {
  const earlier = before.map((task) => ({ id: task.id, type: task.type, settings: task.settings }));
  return [
    `**Example.** ${says} The event:\n`,
    asBlock('json', event),
    ...(earlier.length > 0 ? ['The tasks before it:\n', asBlock('json', earlier)] : []),
    'The settings:\n',
    asBlock(`json settings of ${type}`, settings),
    `${describeOutput(type, meanwhile)}:\n`,
    asBlock('json', output),
  ].join('\n');
}

function describeOutput(type: string, meanwhile: TaskExample['meanwhile']): string {
  const { trigger } = findTaskKind(type) ?? {};
  if (trigger) return trigger.startedBy === 'none' ? 'A request to one of its URLs gets' : 'The caller gets';
  if (!meanwhile) return 'Its output';
  return 'taps' in meanwhile
    ? `Its output, when the customer tapped “${meanwhile.taps}”`
    : 'Its output, when it was approved';
}

const asBlock = (info: string, value: unknown): string =>
  `\`\`\`${info}\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`;

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

type JsonSchema = Record<string, unknown>;

/** A task type as the API and the docs describe it. */
interface DescribedTaskType {
  type: string;
  type_id?: number;
  name: string;
  summary: string;
  category: TaskCategory;
  is_trigger: boolean;
  branches: readonly string[];
  /** JSON Schema (2020-12) of the settings as they are sent: those with a default may be left out. */
  settings: JsonSchema;
  outputs: JsonSchema;
}

/** Every task type with the JSON Schema of its settings and outputs, from its definition. */
export function describeTaskTypes(): DescribedTaskType[] {
  return [...TASK_DEFINITIONS.values()].map((definition) => ({
    type: definition.type,
    ...(definition.typeId === undefined ? {} : { type_id: definition.typeId }),
    name: definition.name,
    summary: definition.summary,
    category: definition.category,
    is_trigger: definition.isTrigger,
    branches: definition.branches.map(({ name }) => name),
    settings: toJsonSchema(definition, 'settings', 'input'),
    outputs: toJsonSchema(definition, 'outputs', 'output'),
  }));
}

function toJsonSchema(
  definition: TaskDefinition,
  part: 'settings' | 'outputs',
  io: 'input' | 'output',
): JsonSchema {
  const schema = z.toJSONSchema(definition[part], { io, override: ({ jsonSchema }) => rename(jsonSchema) });
  delete schema.$schema;
  return schema;
}

/** Removes metadata for forms; metadata for API users becomes an extension. */
function rename(schema: JsonSchema): void {
  const { labels, variables, placeholder } = schema;
  for (const key of ['labels', 'variables', 'placeholder', ...FORM_ONLY_META]) delete schema[key];
  if (labels !== undefined) schema['x-labels'] = labels;
  if (variables !== undefined) schema['x-variables'] = variables;
  if (placeholder !== undefined) schema.examples = [placeholder];
}
