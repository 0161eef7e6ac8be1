import type { Phone } from '../model.ts';
import { MESSAGING_SCOPE } from '../product.ts';
import { assertScope } from './access.ts';
import type { GraphAnswer, GraphCall } from './graph-call.ts';
import { GraphError } from '../graph-error.ts';

/** `GET /{phone}/message_history?message_id=…`: the statuses of a message that the number sent, oldest first. */
export function listMessageHistory(call: GraphCall, phone: Phone): GraphAnswer {
  assertScope(call, MESSAGING_SCOPE);
  const id = call.query.get('message_id');
  if (id === null) throw new GraphError(100, '', { message: '(#100) The parameter message_id is required' });
  const message = call.world.messages.get(id);
  if (message?.direction !== 'out' || message.phoneId !== phone.id) return { data: [] };
  const accepted = { delivery_status: 'ACCEPTED', timestamp: Math.floor(message.acceptedAt / 1000) };
  const events = message.steps.map(({ status, timestampSeconds, errors }) => ({
    delivery_status: status.toUpperCase(),
    timestamp: timestampSeconds,
    ...(errors?.[0] ? { error_description: `${errors[0].title}: ${errors[0].error_data.details}` } : {}),
  }));
  return { data: [{ id, message_id: id, events: { data: [accepted, ...events] } }] };
}
