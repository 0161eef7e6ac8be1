// The variables that the picker offers: by task, with the sample's values.
import * as z from 'zod';
import {
  afterTask,
  type CompiledGraph,
  createVisibility,
  type GraphNode,
  listTasksBefore,
  sharesLoops,
} from '#lib/engine/graph.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { isLoop } from '#lib/tasks/exits.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import {
  isStatusField,
  parseTaskName,
  SECRET_NAME,
  splitTaskPath,
  taskName,
} from '#lib/variables/task-names.ts';
import { listVariables, writePath } from '#lib/variables/variable-names.ts';
import type { CanvasDocument } from './document.ts';
import { compiled, type SampleValues } from './sample-scope.ts';

export interface PickerVariable {
  /** The text between the braces. */
  path: string;
  /** Without the task's prefix. */
  label: string;
  description: string | undefined;
  value: JsonValue | undefined;
  /** The keys from the task's output down to the value. */
  keys: readonly string[];
}

export interface VariableGroup {
  taskId: number | undefined;
  title: string;
  type: string | undefined;
  variables: PickerVariable[];
}

/**
 * The variables that a task can use: of every task before it, nearest first, then date and time.
 * @param ofResults for settings that are evaluated after what the task does (`readsResults`)
 */
export function listAvailableVariables(
  document: CanvasDocument,
  readerId: number,
  values: SampleValues,
  ofResults = false,
): VariableGroup[] {
  const graph = compiled(document);
  const node = graph?.nodes.get(readerId);
  const reader = graph && node && ofResults ? afterTask(graph, node, isLoop(node.task)) : node;
  const groups =
    graph && reader ? visibleNodes(graph, reader).map((node) => groupOf(node, reader, graph, values)) : [];
  return [...groups.filter((group) => group.variables.length > 0), systemGroup(values)];
}

function visibleNodes(graph: CompiledGraph, reader: GraphNode): GraphNode[] {
  const isTrigger = reader.task.id === graph.triggerId;
  // The after-workflow response can use every task outside loops.
  if (isTrigger) {
    const { type, settings } = reader.task;
    const waits = findTaskKind(type)?.answersAfterRun?.(settings) ?? false;
    return [
      reader,
      ...(waits ? [...graph.nodes.values()] : []).filter(
        (node) => node !== reader && sharesLoops(node, reader),
      ),
    ];
  }
  const whyHidden = createVisibility(graph, reader);
  return listTasksBefore(graph, reader).filter((node) => whyHidden(node) === undefined);
}

function groupOf(
  node: GraphNode,
  reader: GraphNode,
  graph: CompiledGraph,
  values: SampleValues,
): VariableGroup {
  const { id, name, type } = node.task;
  const isOwnBody = node === reader && id === graph.triggerId;
  const fields = [
    ...fieldVariables(node, reader, values),
    ...webhooksVariable(node, reader, values),
    ...statusVariables(node, reader, values),
  ];
  return {
    taskId: id,
    title: isOwnBody ? 'This request' : name,
    type,
    variables: isOwnBody ? fields.map((field) => withoutPrefix(field, id)) : fields,
  };
}

function fieldVariables(node: GraphNode, reader: GraphNode, values: SampleValues): PickerVariable[] {
  const { id, type, settings } = node.task;
  const definition = findTaskDefinition(type);
  if (!definition) return [];
  const view = values.viewOf(id);
  const isInside = reader.loops.includes(id);
  const known = view?.output ?? undefined;
  const shape: Record<string, z.core.$ZodType> = {
    ...definition.outputs.shape,
    ...definition.outputsFrom?.(settings).shape,
  };
  const inside = definition.outputsInside;
  const names = Object.keys(shape).filter((name) => !inside || inside.includes(name) === isInside);
  const source = isInside ? (view?.extra ?? {}) : (known ?? {});
  const listed = listVariables(id, source).map(({ name, path, keys, value }): PickerVariable => ({
    path,
    label: labelOf(name),
    description: undefined,
    value,
    keys,
  }));
  const missing = names
    .filter((name) => !listed.some(({ label }) => label === name))
    .map((name): PickerVariable => {
      const schema = shape[name];
      const description = schema && z.globalRegistry.get(schema)?.description;
      return { path: taskName(id, name), label: name, description, value: undefined, keys: [name] };
    });
  return [...listed, ...missing];
}

/** The list of a trigger that makes one run of several webhooks. A response that is sent at once has only its own. */
function webhooksVariable(node: GraphNode, reader: GraphNode, values: SampleValues): PickerVariable[] {
  const { id, type, settings } = node.task;
  const kind = findTaskKind(type);
  if (!kind?.collectsWebhooks?.(settings)) return [];
  if (node === reader && !kind.answersAfterRun?.(settings)) return [];
  const path = writePath([taskName(id), 'WEBHOOKS']);
  return [lone(path, 'WEBHOOKS', 'The bodies of all webhooks of the run.', values.viewOf(id)?.webhooks)];
}

function statusVariables(node: GraphNode, reader: GraphNode, values: SampleValues): PickerVariable[] {
  const { id } = node.task;
  if (reader.loops.includes(id)) return [];
  const view = values.viewOf(id);
  return [
    lone(taskName(id, 'run'), 'run', 'Whether the task succeeded.', view?.run),
    lone(taskName(id, 'run_text'), 'run_text', 'Its status message.', view?.run_text),
  ];
}

const lone = (
  path: string,
  label: string,
  description: string,
  value: JsonValue | undefined,
): PickerVariable => ({ path, label, description, value, keys: [label] });

const systemGroup = ({ scope }: SampleValues): VariableGroup => ({
  taskId: undefined,
  title: 'Date and time',
  type: undefined,
  variables: [
    lone('$now', '$now', 'The moment, ISO 8601 in UTC.', scope.resolve('$now')),
    lone('$date', '$date', 'The day in UTC.', scope.resolve('$date')),
  ],
});

/** Secrets of the workspace, for a setting that can use them. */
export const secretGroup = (names: readonly string[]): VariableGroup => ({
  taskId: undefined,
  title: 'Secrets',
  type: undefined,
  variables: names.map((name) =>
    lone(writePath([SECRET_NAME, name]), name, 'Its value is never shown.', undefined),
  ),
});

const labelOf = (name: string): string => parseTaskName(name)?.field ?? name;

/** In its own response the trigger's fields have no prefix (spec, "Variables"). */
function withoutPrefix(variable: PickerVariable, taskId: number): PickerVariable {
  const parsed = splitTaskPath(variable.path);
  const isOwn = parsed?.taskId === taskId && variable.path.startsWith(taskName(taskId, ''));
  const bare = isOwn ? parsed.rest : variable.path;
  return /^[\p{L}_]/u.test(bare) && !isStatusField(variable.label) ? { ...variable, path: bare } : variable;
}
