import { loadWebhooks } from '#lib/engine/store/bursts.ts';
import type { CompiledGraph, GraphNode } from '#lib/engine/graph.ts';
import { RunState } from '#lib/engine/run-state.ts';
import type { TaskRun } from '#lib/engine/run-types.ts';
import { loadTaskRunsAround } from '#lib/engine/store/load.ts';
import { loadGraph } from '#lib/engine/store/load-version.ts';
import { getEvent } from '#lib/events/read-events.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import type { MemberContext } from '#lib/identity/auth/session.ts';
import { recordMask } from '#lib/messaging/mask.ts';
import { loadRun } from '#lib/runs/get-run.ts';
import type { ConversationView } from '#lib/screens/run-types.ts';
import { getWorkspaceTime } from '#lib/identity/workspaces/workspace-time.ts';
import { scopeOf, toRecordedRun } from '#lib/screens/read-task-run.ts';
import { loadRedactor } from '#lib/secrets/stored-secrets.ts';
import type { ConversationPart, SaidMessage } from '#lib/tasks/conversation.ts';
import { evaluateSetting } from '#lib/tasks/evaluate-setting.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import type { VariableScope } from '#lib/variables/scope.ts';

/** A loop may message thousands: only the conversations of its first items are shown. */
const MAX_ITERATIONS = 10;
const MAX_CONVERSATIONS = 10;
const MAX_MESSAGES = 200;

const ITERATIONS = `
select iteration from task_runs where run_id = $1 and task_id = any ($2::int[])
group by iteration order by min(started_at) limit $3`;

/** Whether tasks of a workflow send messages to customers. */
export const talks = (graph: CompiledGraph): boolean =>
  [...graph.nodes.values()].some((node) => node.task.id !== graph.triggerId && readerOf(node));

const readerOf = ({ task }: GraphNode) => findTaskDefinition(task.type)?.conversation;

type Reader = ActorContext & Pick<MemberContext, 'role' | 'masksNumbers'>;

/**
 * The messages with each customer in a run, in chronological order: with those who were asked or wrote something.
 * @throws AppError `not_found`
 */
export async function readConversations(ctx: Reader, id: string): Promise<ConversationView[]> {
  const speech = await readSpeech(ctx, id, async (taskIds) => {
    const values = [id, taskIds, MAX_ITERATIONS];
    const { rows } = await ctx.db.$client.query<{ iteration: string }>(ITERATIONS, values);
    return rows.map(({ iteration }) => iteration);
  });
  return toConversations(speech.parts, speech.clean);
}

/**
 * What tasks of a run sent, by the platform's ids of the messages. @param iterations in which they sent it
 * @throws AppError `not_found`
 */
export async function readSaid(
  ctx: Reader,
  id: string,
  iterations: readonly string[],
): Promise<Map<string, SaidMessage>> {
  const { parts, clean } = await readSpeech(ctx, id, async () => iterations);
  const messages = parts.flatMap((part) => part.messages.filter(({ by }) => by === 'business'));
  return new Map(messages.map((message) => [message.id, cleanMessage(message, clean)]));
}

interface Speech {
  parts: Part[];
  /** Masks texts for the reader. */
  clean: (text: string) => string;
}

async function readSpeech(
  ctx: Reader,
  id: string,
  findIterations: (taskIds: readonly number[]) => Promise<readonly string[]>,
): Promise<Speech> {
  const run = await loadRun(ctx, id);
  const { $client: pool } = ctx.db;
  const graph = await loadGraph(pool, run.workflow_id, run.version);
  const nodes = [...graph.nodes.values()].filter(readerOf);
  if (!talks(graph)) return { parts: [], clean: (text) => text };
  const [event, { zone }, iterations, redactor] = await Promise.all([
    getEvent(ctx, { id: run.event_id }),
    getWorkspaceTime(ctx),
    findIterations(nodes.map(({ task }) => task.id)),
    loadRedactor(ctx, { tasks: [...graph.nodes.values()].map(({ task }) => task) }),
  ]);
  const body = event.body as JsonValue;
  const webhooks = await loadWebhooks(pool, event.id, graph);
  const parts = new Map<string, Part>();
  for (const iteration of iterations) {
    const state = new RunState(
      toRecordedRun(run, event, { ...ctx, zone, webhooks }),
      graph,
      await loadTaskRunsAround(pool, id, graph, iteration),
    );
    for (const node of nodes) {
      const taskRun = state.find(node.task.id, iteration);
      const output = node.task.id === graph.triggerId ? body : taskRun?.output;
      const part =
        taskRun &&
        (await readPart(node, taskRun, output, (now) => scopeOf(ctx, { state, node, iteration, now })));
      if (part) parts.set(`${node.task.id}:${iteration}`, part);
    }
  }
  const mask = recordMask(ctx);
  return { parts: [...parts.values()], clean: (text) => mask(redactor.text(text)) };
}

type Part = ConversationPart & { asks: boolean };

async function readPart(
  node: GraphNode,
  { startedAt, finishedAt, status }: TaskRun,
  output: JsonValue | undefined,
  scopeAt: (now: Date) => Promise<VariableScope>,
): Promise<Part | undefined> {
  const definition = findTaskDefinition(node.task.type);
  if (output === undefined || !definition?.conversation) return undefined;
  const part = definition.conversation({
    settings: fillAll(node.task.settings, await scopeAt(new Date())),
    output,
    at: new Date(finishedAt ?? startedAt ?? 0).toISOString(),
    isWaiting: status === 'waiting',
  });
  return part && { ...part, asks: definition.waits === true };
}

/** Values that cannot be rendered here are left out. */
function fillAll(
  settings: Readonly<Record<string, unknown>>,
  scope: VariableScope,
): Record<string, JsonValue | undefined> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      try {
        return [name, evaluateSetting(value, scope)];
      } catch {
        return [name, undefined];
      }
    }),
  );
}

function toConversations(parts: readonly Part[], clean: (text: string) => string): ConversationView[] {
  const byCustomer = Map.groupBy(parts, ({ customer }) => customer);
  return [...byCustomer]
    .map(([customer, own]) => ({ customer, own, messages: inOrder(own) }))
    .filter(
      ({ own, messages }) => own.some(({ asks }) => asks) || messages.some(({ by }) => by === 'customer'),
    )
    .slice(0, MAX_CONVERSATIONS)
    .map(({ customer, own, messages }) => ({
      customer: clean(customer),
      messages: messages.slice(-MAX_MESSAGES).map((message) => cleanMessage(message, clean)),
      waitsUntil: own.find(({ waitsUntil }) => waitsUntil !== undefined)?.waitsUntil ?? null,
    }));
}

/** By time. Messages of one task stay in their order: customers' timestamps are whole seconds of another clock. */
const inOrder = (parts: readonly Part[]): SaidMessage[] =>
  parts
    .flatMap(({ messages }) => {
      let latest = 0;
      return messages.map((message) => {
        latest = Math.max(latest, Date.parse(message.at));
        return { message, time: latest };
      });
    })
    .toSorted((a, b) => a.time - b.time)
    .map(({ message }) => message);

const cleanMessage = (message: SaidMessage, clean: (text: string) => string): SaidMessage => ({
  ...message,
  text: clean(message.text),
  choices: message.choices.map(clean),
});
