import type { Message, Phone } from '../model.ts';
import type { World } from '../world.ts';

/** One row of the list: a customer, the business number they talk to, and the last message. */
export type ChatRow = { customer: string; phone: Phone; last: Message; unread: number };

const MOST_SHOWN = 100;

/** The latest chats, the latest first. */
export function listChats(world: World): ChatRow[] {
  const rows = [...world.chats.values()].flatMap((chat): ChatRow[] => {
    const last = chat.at(-1);
    const phone = last && world.phones.get(last.phoneId);
    if (!last || !phone) return [];
    const unread = chat.filter(
      ({ direction, status, type }) =>
        type !== 'reaction' && direction === 'out' && (status === 'delivered' || status === 'sent'),
    ).length;
    return [{ customer: last.customer, phone, last, unread }];
  });
  return rows.sort((a, b) => b.last.acceptedAt - a.last.acceptedAt).slice(0, MOST_SHOWN);
}
