import { z } from 'zod';
import { GraphError } from '../graph-error.ts';
import type { Phone } from '../model.ts';
import { MANAGEMENT_SCOPE, PRODUCT } from '../product.ts';
import { assertScope } from './access.ts';
import type { GraphAnswer, GraphCall } from './graph-call.ts';
import { parseBody } from './parse-body.ts';

const MOST_CALLS = 10;
const WITHIN_MS = 72 * 3_600_000;

const schema = z.strictObject({
  messaging_product: z.literal(PRODUCT),
  pin: z.string().regex(/^\d{6}$/, 'must be 6 digits long'),
});

/**
 * `POST /{phone}/register`: from then on the number sends. The PIN is that of two-step verification, or becomes it. Throws
 * 133005 (wrong PIN) and 133016 (after ten calls in 72 hours).
 */
export function registerPhone(call: GraphCall, phone: Phone): GraphAnswer {
  assertScope(call, MANAGEMENT_SCOPE);
  const { pin } = parseBody(schema, call.body);
  const now = call.world.clock.nowMs();
  phone.registerCalls = phone.registerCalls.filter((at) => at > now - WITHIN_MS);
  if (phone.registerCalls.length >= MOST_CALLS)
    throw new GraphError(133016, `There were ${MOST_CALLS} tries to register this number in 72 hours.`);
  phone.registerCalls.push(now);
  if (phone.pin !== null && phone.pin !== pin)
    throw new GraphError(133005, 'The PIN is not the one of two-step verification.');
  phone.pin = pin;
  phone.status = 'CONNECTED';
  return { success: true };
}

/** `POST /{phone}/deregister`: it sends no more. */
export function deregisterPhone(call: GraphCall, phone: Phone): GraphAnswer {
  assertScope(call, MANAGEMENT_SCOPE);
  phone.status = 'DISCONNECTED';
  return { success: true };
}
