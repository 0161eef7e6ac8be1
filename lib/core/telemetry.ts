// Events in a process, published to metrics (server/metrics) and traces (server/traces). Node's diagnostics channels: free
// without subscribers, and shared by the copies of modules that Next bundles.
import type { AsyncLocalStorage } from 'node:async_hooks';
import { type Channel, channel } from 'node:diagnostics_channel';

/** A kind of event. */
class Topic<Message extends object> {
  readonly #channel;

  constructor(name: string) {
    this.#channel = channel(`patchbay:${name}`);
  }

  /** Whether anything is subscribed: expensive details are only computed then. */
  get isHeard(): boolean {
    return this.#channel.hasSubscribers;
  }

  tell(message: Message): void {
    if (this.#channel.hasSubscribers) this.#channel.publish(message);
  }

  listen(hear: (message: Message) => void): void {
    this.#channel.subscribe((message) => hear(message as Message));
  }
}

/** A kind of operation that other events happen within. */
class Activity<About extends object> {
  readonly #channel: Channel<object, About>;

  constructor(name: string) {
    this.#channel = channel(`patchbay:${name}`) as Channel<object, About>;
  }

  get isHeard(): boolean {
    return this.#channel.hasSubscribers;
  }

  /** Runs `act` within the context that a subscriber creates for `about`. */
  within<Result>(about: About, act: () => Result): Result {
    return this.#channel.hasSubscribers ? this.#channel.runStores(about, act) : act();
  }

  /** @param enter creates the context, which `contexts` holds while `act` runs */
  bind<Context extends object>(contexts: AsyncLocalStorage<Context>, enter: (about: About) => Context): void {
    this.#channel.bindStore(contexts, enter);
  }
}

/** The part of an event that determines the trace of the run it starts. */
export interface ObservedEvent {
  id: string;
  /** Its headers are those of the event that is replayed. */
  isReplay: boolean;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
}

export interface ObservedRun {
  id: string;
  workspaceId: string;
  workflowId: string;
  /** Negative: of a draft. */
  version: number;
  event: ObservedEvent;
}

/** Why a run failed. */
export interface ObservedFailure {
  run: ObservedRun;
  /** The task that failed; left out where none did. */
  taskId?: number | undefined;
  iteration?: string | undefined;
  /** Of its error. */
  code: string;
}

/** A run is advanced from its current state to its next wait or its end. */
export interface Advance {
  run: ObservedRun;
  /** Executed in memory before the webhook is committed: it counts once `firstLeg` is published. */
  isFirstLeg: boolean;
}

/** A task is executed. */
export interface Execution {
  /** The task run: the same object until the execution's end is published. */
  key: object;
  taskId: number;
  type: string;
  iteration: string;
  attempt: number;
}

/** A request to a URL that a user gave. */
export interface OutgoingRequest {
  method: string;
  url: URL;
  /** Requests before it that were answered by redirects. */
  resends: number;
  /** Headers that the subscriber wants to send, where the request may have any. */
  traceHeaders?: Readonly<Record<string, string>>;
}

export const telemetry = {
  /**
   * A webhook was answered. `reason`: the error's code, or `accepted`; `mode`: how its caller was answered; `eventId`: of the
   * stored event.
   */
  webhook: new Topic<{
    reason: string;
    mode: 'immediate' | 'redirect' | 'after_workflow' | 'refused';
    seconds: number;
    kind: 'production' | 'test';
    method: string;
    status: number;
    headers: Readonly<Record<string, string>>;
    eventId: string | undefined;
  }>('webhook'),
  /** Number of webhooks that one statement wrote. */
  batch: new Topic<{ size: number }>('batch'),
  /** An event was created here that started a run. `original`: the replayed event. */
  event: new Topic<{ event: ObservedEvent; origin: 'notification' | 'replay'; original?: ObservedEvent }>(
    'event',
  ),
  /** A run ended. `failure`: where and why, if it failed. */
  run: new Topic<{ status: string; failure?: ObservedFailure | undefined }>('run'),
  advance: new Activity<Advance>('advance'),
  /** An advance ended. `outcome`: the run's status, `lost` or `stopped`; `leg`: what is about to be written, if anything. */
  advanced: new Topic<{ advance: Advance; outcome: string; leg?: object | undefined }>('advanced'),
  /** A first leg was committed. `taskRuns`: the keys of its executions. */
  firstLeg: new Topic<{ leg: { taskRuns?: readonly object[] } }>('first-leg'),
  execution: new Activity<Execution>('execution'),
  /** A task was executed once. `outcome`: `done`, `waits`, `loops`, or the code of its error; `isFirstLeg`: see `Advance`. */
  task: new Topic<{
    key: object;
    type: string;
    outcome: string;
    isError: boolean;
    isFirstLeg: boolean;
    seconds: number;
  }>('task'),
  request: new Topic<OutgoingRequest>('request'),
  /** A request has ended. `error`: its kind, if it failed. */
  requested: new Topic<{ request: OutgoingRequest; status?: number; error?: string }>('requested'),
  /** A call of the platform has ended. `outcome`: `ok`, or the class of its error; `code`: the platform's. */
  platformCall: new Topic<{
    operation: string;
    outcome: string;
    code: number | undefined;
    url: URL;
    seconds: number;
  }>('platform-call'),
  /**
   * The platform accepted or refused a message. `outcome`: `accepted`, or the class of its error; `error`: see `labelOfCode`.
   */
  send: new Topic<{ type: string; outcome: string; error: string }>('send'),
  /** The platform reported the status of a message. `run`: the one that sent it. */
  messageStatus: new Topic<{
    status: string;
    error: string;
    run: { id: string; taskId: number; iteration: string } | undefined;
  }>('message-status'),
  /** A refresh of a connection's access token has ended. */
  tokenRefresh: new Topic<{ outcome: string }>('token-refresh'),
  /** Retention removed rows, or cleared their contents. `part`: of lib/workflows/retention/parts.ts. */
  removed: new Topic<{ part: string; rows: number }>('removed'),
  /** Spans were exported or dropped. */
  spans: new Topic<{ outcome: 'exported' | 'queue_full' | 'export_failed'; count: number }>('spans'),
  /** Asks for the trace of an event, or of the current context. The subscriber sets `trace_id`. */
  traceOf: new Topic<{ event: ObservedEvent | undefined; trace_id?: string }>('trace-of'),
};

/** The `trace_id` for a log line about an event, or of the current context; nothing where traces are off. */
export function traceIdOf(event?: ObservedEvent): { trace_id?: string } {
  if (!telemetry.traceOf.isHeard) return {};
  const asked: { event: ObservedEvent | undefined; trace_id?: string } = { event };
  telemetry.traceOf.tell(asked);
  return asked.trace_id === undefined ? {} : { trace_id: asked.trace_id };
}

/** Seconds since `start`, a value of `performance.now()`. */
export const secondsSince = (start: number): number => (performance.now() - start) / 1000;
