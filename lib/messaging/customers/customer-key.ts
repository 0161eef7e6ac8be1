// What runs wait for that customers write (docs/engine.md, "Signals").
/** What the keys of waits for customers begin with. */
export const CUSTOMER_KEYS = 'customer:';
/** What the keys of waits for a customer end with, at whichever number. @param customer one of their names */
export const customerEnd = (customer: string): string => `:${customer}`;

/** What a customer writes to a number. @param customer one of their names: number or user id */
export const customerKey = (phoneNumberId: string, customer: string): string =>
  `${CUSTOMER_KEYS}${phoneNumberId}${customerEnd(customer)}`;
