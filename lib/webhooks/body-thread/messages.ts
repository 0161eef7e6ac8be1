import type { ErrorCode } from '#lib/core/errors.ts';
import type { Trigger } from '#lib/webhooks/trigger-settings.ts';
import type { PreparedResponse, ReceivedData, ValueSetting } from '#lib/webhooks/render-response.ts';

/** A serialized error: errors would lose their code between threads. */
export interface SentError {
  code: ErrorCode;
  message: string;
}

export type SentResponse =
  | Exclude<PreparedResponse, { kind: 'failed' }>
  | { kind: 'failed'; error: SentError };

/** Calls of the thread about a body, by number, and their results. */
export interface BodyCalls {
  /** Parses the bytes and keeps the body; returns why it is refused. */
  parse: { asks: { bytes: Uint8Array }; answers: SentError | undefined };
  prepareResponse: {
    asks: { trigger: Trigger; received: Omit<ReceivedData, 'body'> };
    answers: SentResponse;
  };
  renderValue: {
    asks: { trigger: Trigger; name: ValueSetting; received: Omit<ReceivedData, 'body'> };
    answers: string;
  };
  readField: { asks: { path: readonly string[] }; answers: string | undefined };
  describe: { asks: { eventId: string; triggerTaskId: number }; answers: string };
  release: { asks: object; answers: undefined };
}

export type BodyCall = keyof BodyCalls;

export interface CallMessage<Call extends BodyCall = BodyCall> {
  callId: number;
  bodyId: number;
  call: Call;
  asks: BodyCalls[Call]['asks'];
}

export type AnswerMessage = { callId: number } & ({ answer: unknown } | { failure: string });
