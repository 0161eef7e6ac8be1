import { callGraph, type GraphAccess } from './graph.ts';

/**
 * Registers a number with the API: from then on it can send. The PIN is that of its two-step verification, or becomes it.
 * @param pin six digits; cut out of what the platform says when it refuses
 * @throws PlatformError
 */
export async function registerPhone(access: GraphAccess, phoneNumberId: string, pin: string): Promise<void> {
  const body = { messaging_product: access.settings.product, pin };
  await callGraph(access, { method: 'POST', path: [phoneNumberId, 'register'], body, secrets: [pin] });
}
