import type { MessagePort } from 'node:worker_threads';
import type { AppError } from '#lib/core/errors.ts';
import { type ObjectBody, parseObjectBody } from '../object-body.ts';
import type { AnswerMessage, BodyCall, BodyCalls, CallMessage, SentError, SentResponse } from './messages.ts';

const sent = ({ code, message }: AppError): SentError => ({ code, message });

/** Handles the calls of a port one by one, and keeps parsed bodies until they are released. */
export function serveBodies(port: MessagePort): void {
  const bodies = new Map<number, ObjectBody>();
  const bodyOf = (id: number): ObjectBody => {
    const body = bodies.get(id);
    if (!body) throw new Error('The body is not held.');
    return body;
  };
  const calls: {
    [Call in BodyCall]: (
      id: number,
      asks: BodyCalls[Call]['asks'],
    ) => BodyCalls[Call]['answers'] | Promise<BodyCalls[Call]['answers']>;
  } = {
    parse(id, { bytes }) {
      const parsed = parseObjectBody(bytes);
      if ('refusal' in parsed) return sent(parsed.refusal);
      bodies.set(id, parsed.object);
      return undefined;
    },
    async prepareResponse(id, { trigger, received }): Promise<SentResponse> {
      const response = await bodyOf(id).prepareResponse(trigger, received);
      return response.kind === 'failed' ? { kind: 'failed', error: sent(response.error) } : response;
    },
    renderValue: (id, { trigger, name, received }) => bodyOf(id).renderValue(trigger, name, received),
    readField: (id, { path }) => bodyOf(id).readField(path),
    describe: (id, { eventId, triggerTaskId }) => bodyOf(id).describe(eventId, triggerTaskId),
    release: (id) => void bodies.delete(id),
  };
  const answer = async <Call extends BodyCall>({
    callId,
    bodyId,
    call,
    asks,
  }: CallMessage<Call>): Promise<void> => {
    let message: AnswerMessage;
    try {
      message = { callId, answer: await calls[call](bodyId, asks) };
    } catch (error) {
      message = { callId, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
    port.postMessage(message);
  };
  port.on('message', (message: CallMessage) => void answer(message));
}
