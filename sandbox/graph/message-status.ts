import type { Message } from '../model.ts';
import { MESSAGING_SCOPE, PRODUCT } from '../product.ts';
import { assertScope } from './access.ts';
import type { GraphAnswer, GraphCall } from './graph-call.ts';
import { unknownObject } from '../graph-error.ts';

/** `GET /{message}`: the last status and its Unix timestamp, with `errors` if it failed. */
export function showMessageStatus(call: GraphCall, message: Message): GraphAnswer {
  assertScope(call, MESSAGING_SCOPE);
  if (message.direction === 'in') throw unknownObject(message.id, 'GET');
  const last = message.steps.at(-1);
  return {
    id: message.id,
    messaging_product: PRODUCT,
    recipient_id: message.customer,
    status: last?.status ?? (message.heldFor === undefined ? 'sent' : 'held_for_quality_assessment'),
    timestamp: String(last?.timestampSeconds ?? Math.floor(message.acceptedAt / 1000)),
    ...(last?.errors ? { errors: last.errors } : {}),
  };
}
