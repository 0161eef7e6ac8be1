// Customers' settings on their phone: whether their number is visible, whether they accept marketing, and their number.
import { newMessageId } from '../ids.ts';
import type { Phone } from '../model.ts';
import { PRODUCT } from '../product.ts';
import { hidesNumber, userIdOf } from '../user-ids.ts';
import { chatKey, customerName, type World } from '../world.ts';
import { metadataOf } from './notifications.ts';
import { publish } from './publish.ts';

/** Businesses get only the customer's user id, or user id and number again. */
export function setHidesNumber(world: World, customer: string, hides: boolean): void {
  if (hides) world.customersWithUsername.add(customer);
  else world.customersWithUsername.delete(customer);
  world.changes.emit('change', customer);
}

export const wantsMarketing = (world: World, phoneId: string, customer: string): boolean =>
  !world.marketingStopped.has(chatKey(phoneId, customer));

/** The customer stops marketing messages of a business number, or allows them again: `user_preferences`. */
export function setMarketing(world: World, phone: Phone, customer: string, value: 'stop' | 'resume'): void {
  const key = chatKey(phone.id, customer);
  if (value === 'stop') world.marketingStopped.add(key);
  else world.marketingStopped.delete(key);
  const ids = { ...(hidesNumber(world, customer) ? {} : { wa_id: customer }), user_id: userIdOf(customer) };
  publish(world, phone.accountId, 'user_preferences', {
    messaging_product: PRODUCT,
    metadata: metadataOf(phone),
    contacts: [{ profile: { name: customerName(world, customer) }, ...ids }],
    user_preferences: [
      {
        ...ids,
        detail: `User requested to ${value} marketing messages`,
        category: 'marketing_messages',
        value,
        timestamp: world.clock.nowSeconds(),
      },
    ],
  });
  world.changes.emit('change', customer);
}

/** Changes the customer's number, and with it the user id: a `system` message to the business numbers of their chats. */
export function changeNumber(world: World, customer: string, number: string): void {
  const body = `${customerName(world, customer)} changed from ${customer} to ${number}`;
  for (const [key, chat] of world.chats) {
    const phone = world.phones.get(chat.at(-1)?.phoneId ?? '');
    if (!phone || key !== chatKey(phone.id, customer)) continue;
    publish(world, phone.accountId, 'messages', {
      messaging_product: PRODUCT,
      metadata: metadataOf(phone),
      messages: [
        {
          ...(hidesNumber(world, customer) ? {} : { from: customer }),
          from_user_id: userIdOf(customer),
          id: newMessageId(customer),
          timestamp: String(world.clock.nowSeconds()),
          type: 'system',
          system: {
            type: hidesNumber(world, customer) ? 'user_changed_user_id' : 'user_changed_number',
            body,
            ...(hidesNumber(world, customer) ? {} : { wa_id: number }),
            user_id: userIdOf(number),
            previous_user_id: userIdOf(customer),
          },
        },
      ],
    });
  }
  if (hidesNumber(world, customer)) world.customersWithUsername.add(number);
  const name = world.customerNames.get(customer);
  if (name !== undefined) world.customerNames.set(number, name);
}
