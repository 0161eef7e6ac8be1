// What keeps a business from sending, whatever the message: its account is restricted, or nobody pays.
import { GraphError } from '../graph-error.ts';
import type { Phone, Template } from '../model.ts';
import { isStrict } from '../strict.ts';
import type { World } from '../world.ts';

/** Throws the code that the account is restricted with (403), or 131042 for a template without a payment method. */
export function assertAccountSends(world: World, phone: Phone, template: Template | null): void {
  const account = world.accounts.get(phone.accountId);
  if (account?.restriction) throw new GraphError(account.restriction, 'The account may not send messages.');
  if (template && account && !account.hasPaymentMethod)
    throw new GraphError(131042, 'Message failed to send because there is no valid payment method.');
}

/** Why the platform accepts a template and does not deliver it to this customer, or null. */
export function findLateRefusal(
  world: World,
  customer: string,
  template: Template | null,
): GraphError | null {
  if (template?.pacing === 'paused')
    return new GraphError(132015, `Template (${template.name}) is paused due to low quality.`);
  if (isStrict(world) && template?.category === 'MARKETING' && isAmerican(customer))
    return new GraphError(131049, 'Marketing messages are not delivered to numbers of the United States.');
  return null;
}

/** Country code 1 and ten digits. Canada's numbers, which have the same code, are not told apart here. */
const isAmerican = (customer: string): boolean => /^1\d{10}$/.test(customer);
