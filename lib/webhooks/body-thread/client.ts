import { Worker } from 'node:worker_threads';
import { AppError } from '#lib/core/errors.ts';
import type { ObjectBody, ParsedBody } from '../object-body.ts';
import type { AnswerMessage, BodyCall, BodyCalls, CallMessage, SentError } from './messages.ts';

/** The idle thread is stopped after this time, to free its memory. */
const IDLE_MS = 10_000;
/** A body of 10 MB that consists of `{}` only needs half of it. */
const MAX_HEAP_MB = 768;

export interface BodyThread {
  /** Parses a body in the thread, which keeps it until `held` is disposed of. */
  open(bytes: Buffer, held: AsyncDisposableStack): Promise<ParsedBody>;
  close(): Promise<void>;
}

interface Pending {
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
}

const received = ({ code, message }: SentError): AppError => new AppError(code, message);

/** @param url of a program that calls `serveBodies`. It is started with the first body, and again when it failed */
export function createBodyThread(url: URL): BodyThread {
  const pending = new Map<number, Pending>();
  const kept = new Set<number>();
  let worker: Worker | undefined;
  let lastId = 0;
  let idle: NodeJS.Timeout | undefined;

  function fail(error: Error): void {
    worker = undefined;
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  }

  function start(): Worker {
    const started = new Worker(url, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    const end = (error: Error): void => {
      if (worker === started) fail(error);
    };
    started.unref();
    started.on('message', (message: AnswerMessage) => {
      const call = pending.get(message.callId);
      pending.delete(message.callId);
      if ('failure' in message) call?.reject(new Error(message.failure));
      else call?.resolve(message.answer);
    });
    started.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))));
    started.on('exit', (code) => end(new Error(`The thread of large bodies ended with code ${code}.`)));
    return started;
  }

  function call<Call extends BodyCall>(
    bodyId: number,
    call: Call,
    asks: BodyCalls[Call]['asks'],
  ): Promise<BodyCalls[Call]['answers']> {
    worker ??= start();
    const callId = ++lastId;
    const message: CallMessage<Call> = { callId, bodyId, call, asks };
    worker.postMessage(message);
    return new Promise((resolve, reject) => {
      pending.set(callId, { resolve: (answer) => resolve(answer as BodyCalls[Call]['answers']), reject });
    });
  }

  async function stop(): Promise<void> {
    const stopped = worker;
    fail(new Error('The thread of large bodies was stopped.'));
    await stopped?.terminate();
  }

  async function release(bodyId: number): Promise<void> {
    kept.delete(bodyId);
    // The thread may have stopped, and the body is gone with it.
    if (worker) await call(bodyId, 'release', {}).catch(() => undefined);
    clearTimeout(idle);
    if (kept.size === 0) idle = setTimeout(() => void stop(), IDLE_MS).unref();
  }

  return {
    async open(bytes, held) {
      clearTimeout(idle);
      const bodyId = ++lastId;
      kept.add(bodyId);
      held.defer(() => release(bodyId));
      const refusal = await call(bodyId, 'parse', { bytes });
      return refusal ? { refusal: received(refusal) } : { object: keptBody(bodyId) };
    },
    async close() {
      clearTimeout(idle);
      await stop();
    },
  };

  function keptBody(bodyId: number): ObjectBody {
    return {
      async prepareResponse(trigger, data) {
        const response = await call(bodyId, 'prepareResponse', { trigger, received: data });
        return response.kind === 'failed' ? { kind: 'failed', error: received(response.error) } : response;
      },
      renderValue: (trigger, name, data) => call(bodyId, 'renderValue', { trigger, name, received: data }),
      readField: (path) => call(bodyId, 'readField', { path }),
      describe: (eventId, triggerTaskId) => call(bodyId, 'describe', { eventId, triggerTaskId }),
    };
  }
}
