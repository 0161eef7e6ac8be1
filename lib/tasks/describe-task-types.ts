import * as z from 'zod';
import { TASK_DEFINITIONS } from './registry.ts';
import { FORM_ONLY_META, type TaskDefinition } from './task-definition.ts';
import type { TaskCategory } from './task-kind.ts';

type JsonSchema = Record<string, unknown>;

/** A task type as the API and the docs describe it. */
export interface DescribedTaskType {
  type: string;
  type_id?: number;
  name: string;
  summary: string;
  category: TaskCategory;
  is_trigger: boolean;
  branches: readonly string[];
  /** JSON Schema (2020-12) of the settings as they are sent: what has a default may be left out. */
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

/** What only forms need goes; what readers of the API need is marked as an extension. */
function rename(schema: JsonSchema): void {
  const { labels, variables, placeholder } = schema;
  for (const key of ['labels', 'variables', 'placeholder', ...FORM_ONLY_META]) delete schema[key];
  if (labels !== undefined) schema['x-labels'] = labels;
  if (variables !== undefined) schema['x-variables'] = variables;
  if (placeholder !== undefined) schema.examples = [placeholder];
}
