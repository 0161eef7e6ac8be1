// Events in a process, published to metrics (server/metrics) and traces (server/traces). Node's diagnostics channels: free
// without subscribers, and shared by the copies of modules that Next bundles.
import type { AsyncLocalStorage } from 'node:async_hooks';
import { type Channel, channel } from 'node:diagnostics_channel';

/** One kind of thing that happens. */
class Topic<Message extends object> {
  readonly #channel;

  constructor(name: string) {
    this.#channel = channel(`patchbay:${name}`);
  }

  /** Whether anybody listens: what is costly to find out is asked only then. */
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

/** One kind of thing that other things happen within. */
class Activity<About extends object> {
  readonly #channel: Channel<object, About>;

  constructor(name: string) {
    this.#channel = channel(`patchbay:${name}`) as Channel<object, About>;
  }

  get isHeard(): boolean {
    return this.#channel.hasSubscribers;
  }

  /** Calls `act` within the context that a listener makes of `about`. */
  within<Result>(about: About, act: () => Result): Result {
    return this.#channel.hasSubscribers ? this.#channel.runStores(about, act) : act();
  }

  /** @param enter gives the context, which `contexts` holds for all that `act` does */
  bind<Context extends object>(contexts: AsyncLocalStorage<Context>, enter: (about: About) => Context): void {
    this.#channel.bindStore(contexts, enter);
  }
}

/** An event, as far as it says which trace what it starts belongs to. */
export interface ToldEvent {
  id: string;
  /** Its headers are those of the event that was replayed. */
  isReplay: boolean;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
}

export interface ToldRun {
  id: string;
  workspaceId: string;
  workflowId: string;
  /** Below zero: of a draft. */
  version: number;
  event: ToldEvent;
}

/** Why a run failed. */
export interface ToldFailure {
  run: ToldRun;
  /** The task that failed; left out where none did. */
  taskId?: number | undefined;
  iteration?: string | undefined;
  /** Of its error. */
  code: string;
}

/** A run is advanced from where it is to its next wait or its end. */
export interface Advance {
  run: ToldRun;
  /** In memory, before the webhook is committed: it counts once `firstLeg` tells that it was written. */
  isFirstLeg: boolean;
}

/** A task is executed. */
export interface Execution {
  /** The task run, which stays the same object until its end is told. */
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
  /** Headers that the listener wants to go along, where the request may carry any. */
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
  /** An event was made here that a run was started for. `original`: what is replayed. */
  event: new Topic<{ event: ToldEvent; origin: 'notification' | 'replay'; original?: ToldEvent }>('event'),
  /** A run ended. `failure`: where and why, unless it did not fail. */
  run: new Topic<{ status: string; failure?: ToldFailure | undefined }>('run'),
  advance: new Activity<Advance>('advance'),
  /** An advance has ended. `outcome`: the run's status, `lost` or `stopped`; `leg`: what is going to be written, if anything. */
  advanced: new Topic<{ advance: Advance; outcome: string; leg?: object | undefined }>('advanced'),
  /** What a first leg did was committed. `taskRuns`: the keys of what was executed in it. */
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
  /** A request was answered, or not. `error`: its kind. */
  requested: new Topic<{ request: OutgoingRequest; status?: number; error?: string }>('requested'),
  /** The platform answered a call, or did not. `outcome`: `ok`, or the class of its error; `code`: the platform's. */
  platformCall: new Topic<{
    operation: string;
    outcome: string;
    code: number | undefined;
    url: URL;
    seconds: number;
  }>('platform-call'),
  /** The platform accepted a message, or did not. `outcome`: `accepted`, or the class of its error; `error`: see `labelOfCode`. */
  send: new Topic<{ type: string; outcome: string; error: string }>('send'),
  /** The platform told the status of a message. `run`: that sent it. */
  messageStatus: new Topic<{
    status: string;
    error: string;
    run: { id: string; taskId: number; iteration: string } | undefined;
  }>('message-status'),
  /** A connection's access token was to be replaced. */
  tokenRefresh: new Topic<{ outcome: string }>('token-refresh'),
  /** Spans left the process, or never will. */
  spans: new Topic<{ outcome: 'exported' | 'queue_full' | 'export_failed'; count: number }>('spans'),
  /** Somebody asks which trace an event belongs to; of none: what is under way. The listener answers by `trace_id`. */
  traceOf: new Topic<{ event: ToldEvent | undefined; trace_id?: string }>('trace-of'),
};

/** The `trace_id` for a log line about an event, or about what is under way; nothing where no traces are made. */
export function traceIdOf(event?: ToldEvent): { trace_id?: string } {
  if (!telemetry.traceOf.isHeard) return {};
  const asked: { event: ToldEvent | undefined; trace_id?: string } = { event };
  telemetry.traceOf.tell(asked);
  return asked.trace_id === undefined ? {} : { trace_id: asked.trace_id };
}

/** Seconds since `start`, a value of `performance.now()`. */
export const secondsSince = (start: number): number => (performance.now() - start) / 1000;
