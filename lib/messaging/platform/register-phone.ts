import { callGraph, type GraphAccess } from './graph.ts';

/**
 * Registers a number with the API: it can send afterwards. The PIN is that of its two-step verification, or sets it. @param pin
 * six digits; removed from error messages
 * @throws PlatformError
 */
export async function registerPhone(access: GraphAccess, phoneNumberId: string, pin: string): Promise<void> {
  const body = { messaging_product: access.settings.product, pin };
  await callGraph(access, { method: 'POST', path: [phoneNumberId, 'register'], body, secrets: [pin] });
}
