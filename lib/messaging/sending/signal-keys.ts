// What runs wait for that the platform tells (docs/engine.md, "Signals"): said by tasks that wait and by the receiver.
import { isId } from '#lib/core/ids.ts';

/** What a customer writes to a number. @param customer one of their names: number or user id */
export const customerKey = (phoneNumberId: string, customer: string): string =>
  `customer:${phoneNumberId}:${customer}`;

/** What becomes of a message that was sent. */
export const messageKey = (messageId: string): string => `message:${messageId}`;

/** The wait that a tapped button or row answers; null for one that no question of ours had. */
export function waitOfChoice(id: string): string | null {
  const [waitId = '', place, ...rest] = id.split(':');
  return isId(waitId) && place !== undefined && rest.length === 0 ? waitId : null;
}
