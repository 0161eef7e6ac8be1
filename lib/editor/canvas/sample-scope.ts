// Resolves variables with a sample event, as a task would see them in a run.
import { readJson } from '#lib/core/json/read-json.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import type { EventKind } from '#lib/engine/event-types.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { type CompiledGraph, compileGraph } from '#lib/engine/graph.ts';
import { withoutSecretIds } from '#lib/secrets/placeholder-format.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { VariableError } from '#lib/variables/errors.ts';
import type { Escape } from '#lib/variables/escape.ts';
import { evaluateText, renderText } from '#lib/variables/interpret.ts';
import { parseVariableText } from '#lib/variables/parse.ts';
import { createScope, type TaskView, type VariableScope, withCustomerZone } from '#lib/variables/scope.ts';
import { type CanvasDocument, toGraph } from './document.ts';
import { reachablePart } from '#lib/workflows/graph-paths.ts';

// An event and the outputs of its run's tasks, which the editor uses as a sample. JSON is passed as text: numbers keep their
// digits.

export interface SampleTask {
  taskId: number;
  /** The JSON of the output; undefined when there was none. */
  outputText: string | undefined;
  run: boolean | undefined;
  runText: string | undefined;
}

export interface Sample {
  eventId: string;
  kind: EventKind;
  /** ISO 8601. */
  receivedAt: string;
  /** The body as JSON text. */
  bodyText: string;
  headers: Record<string, string>;
  tasks: SampleTask[];
  /** The time zone of the customer whom its run is about; left out: there is none. */
  customerZone?: string | undefined;
}

/** A request in the list of the trigger's panel. */
export interface ListenedEvent {
  id: string;
  kind: EventKind;
  outcome: string;
  reason: string | null;
  receivedAt: string;
  runId: string | null;
}

/** Result of trying one task. */
export type TryResult =
  | { kind: 'asks'; question: string }
  | { kind: 'succeeded'; runText: string; branch: string | undefined; outputText: string }
  | { kind: 'failed'; code: string; message: string; detailsText: string | undefined };

const MAX_DEPTH = 200;

/** JSON from a text; undefined when it is invalid. */
export function readSampleJson(text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined;
  try {
    return readJson(text, MAX_DEPTH);
  } catch {
    return undefined;
  }
}

export interface SampleValues {
  scope: VariableScope;
  /** The output of a task as the reader sees it; undefined when the sample has none. */
  outputOf: (taskId: number) => JsonValue | undefined;
  viewOf: (taskId: number) => TaskView | undefined;
}

/**
 * The sample as seen by one task.
 * @param triedOutputs JSON of outputs from trying single tasks: they take precedence over the run's
 * @param zone of the workspace
 */
export function sampleValues(
  document: CanvasDocument,
  readerId: number,
  sample: Sample | undefined,
  { triedOutputs = {}, zone }: { triedOutputs?: Readonly<Record<number, string>>; zone?: string } = {},
): SampleValues {
  const graph = compiled(document);
  const reader = graph?.nodes.get(readerId);
  const views = new Map<number, TaskView | undefined>();
  const now = new Date();
  const body = readSampleJson(sample?.bodyText);
  const isTrigger = readerId === graph?.triggerId;
  const viewOf = (taskId: number): TaskView | undefined => {
    if (views.has(taskId)) return views.get(taskId);
    views.set(taskId, undefined);
    const view =
      taskId === graph?.triggerId ? triggerView(sample, body) : taskView(taskId, sample, triedOutputs);
    const task = graph?.nodes.get(taskId)?.task;
    const withItem = task && reader?.loops.includes(taskId) ? inLoop(task, view, scope) : view;
    views.set(taskId, withItem);
    return withItem;
  };
  const customerZone = sample?.customerZone;
  const own: VariableScope = {
    // Looks up each name on demand: views are created while others are still being created.
    resolve: (name) =>
      createScope({
        tasks: viewOf,
        now: () => now,
        zone,
        ...(isTrigger && body !== undefined ? { body } : {}),
      }).resolve(name),
  };
  const scope = customerZone === undefined ? own : withCustomerZone(own, customerZone);
  const outputOf = (taskId: number) => viewOf(taskId)?.output;
  return { scope, outputOf, viewOf };
}

/** The reachable part of the document, indexed; undefined while it has a cycle. */
export function compiled(document: CanvasDocument): CompiledGraph | undefined {
  const known = KNOWN.get(document);
  if (known) return known;
  const part = reachablePart(toGraph(document));
  const graph = part && compileGraph(part);
  if (graph) KNOWN.set(document, graph);
  return graph;
}

/** Cached, because a document is immutable and several parts of the panel need the same one. */
const KNOWN = new WeakMap<CanvasDocument, CompiledGraph>();

const triggerView = (sample: Sample | undefined, body: JsonValue | undefined): TaskView | undefined =>
  sample && {
    output: body,
    headers: sample.headers,
    webhooks: body === undefined ? [] : [body],
    run: true,
    run_text: 'Inbound data was received and processed successfully.',
  };

function taskView(
  taskId: number,
  sample: Sample | undefined,
  triedOutputs: Readonly<Record<number, string>>,
): TaskView | undefined {
  const found = sample?.tasks.find((task) => task.taskId === taskId);
  const output = readSampleJson(triedOutputs[taskId] ?? found?.outputText);
  if (output === undefined && !found) return undefined;
  const view: TaskView = { output };
  if (found?.run !== undefined) view.run = found.run;
  else if (triedOutputs[taskId] !== undefined) view.run = true;
  if (found?.runText !== undefined) view.run_text = found.runText;
  return view;
}

/** Inside a loop the sample is the first item. */
function inLoop(task: WorkflowTask, view: TaskView | undefined, scope: VariableScope): TaskView {
  const setting = findTaskDefinition(task.type)?.itemsSetting;
  const item = setting === undefined ? undefined : firstItem(task.settings[setting], scope);
  return { ...view, output: view?.output, extra: item === undefined ? { index: 0 } : { item, index: 0 } };
}

function firstItem(items: unknown, scope: VariableScope): JsonValue | undefined {
  try {
    const value =
      typeof items === 'string' ? evaluateText(parseVariableText(items), scope) : (items as JsonValue);
    const list = typeof value === 'string' ? readSampleJson(value) : value;
    return Array.isArray(list) ? list[0] : undefined;
  } catch {
    return undefined;
  }
}

const SHOWN_CHARACTERS = 4000;

export type Preview =
  | { kind: 'text'; text: string }
  | { kind: 'nothing' }
  | { kind: 'problem'; message: string };

/** A variable text rendered with the sample; a single list or object is shown as JSON, secrets as `••••••`. */
export function renderPreview(
  text: string,
  scope: VariableScope,
  { escape = 'none', keepPlaceholders = false }: { escape?: Escape; keepPlaceholders?: boolean } = {},
): Preview {
  try {
    const parsed = parseVariableText(text, { keepPlaceholders });
    const isOneVariable = parsed.nodes.length === 1 && parsed.nodes[0]?.kind === 'output';
    if (isOneVariable && escape === 'none') {
      const value = evaluateText(parsed, scope);
      if (value === undefined || value === '') return { kind: 'nothing' };
      return shown(typeof value === 'string' ? value : stringifyJson(value));
    }
    const rendered = renderText(parsed, scope, escape);
    return rendered === '' ? { kind: 'nothing' } : shown(rendered);
  } catch (error) {
    if (error instanceof VariableError) return { kind: 'problem', message: error.message };
    throw error;
  }
}

function shown(value: string): Preview {
  const text = withoutSecretIds(value);
  return {
    kind: 'text',
    text: text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text,
  };
}
