import { ORDER } from '../load.ts';

const KILOBYTE = 1024;

interface Order {
  items: { sku: string }[];
  shipping: { note: string };
}

/** The order, with enough items for exactly this size. @param kilobytes of 1,024 bytes, at least one. */
export function makeBody(kilobytes: number): string {
  const order = JSON.parse(ORDER) as Order;
  const [item] = order.items;
  if (!item) throw new Error('The order has no item.');
  const bytesLeft = (): number => kilobytes * KILOBYTE - Buffer.byteLength(JSON.stringify(order));
  const itemBytes = Buffer.byteLength(JSON.stringify(item)) + 1;
  const further = Math.max(0, Math.floor(bytesLeft() / itemBytes));
  order.items.push(...Array.from({ length: further }, () => item));
  order.shipping.note += 'x'.repeat(bytesLeft());
  return JSON.stringify(order);
}
