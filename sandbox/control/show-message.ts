import type { Message } from '../model.ts';

/** A message as the control API lists it. */
export function showMessage(message: Message): object {
  return {
    id: message.id,
    direction: message.direction,
    phone_number_id: message.phoneId,
    customer: message.customer,
    type: message.type,
    template_name: message.templateName,
    text: message.rendered.text,
    rendered: message.rendered,
    payload: message.payload,
    status: message.status,
    statuses: message.steps.map(({ status, timestampSeconds, errors }) => ({
      status,
      timestamp: timestampSeconds,
      errors,
    })),
    seen_by_business: message.direction === 'in' ? message.seenByBusiness : undefined,
    accepted_at: new Date(message.acceptedAt).toISOString(),
    accepted_at_ms: message.acceptedAt,
  };
}
