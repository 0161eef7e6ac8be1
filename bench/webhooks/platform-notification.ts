// Notifications of the messaging platform, as measurements send them.
import { createHmac } from 'node:crypto';
import type { Prepared } from '../http/client.ts';

/** The business account of every connection. */
export const ACCOUNT = '102290129340398';

export const APP_SECRET = 'the-secret-that-signs-the-notifications-of-this-measurement';

/** Id of a phone number of that account. */
export const PHONE = '106540352242922';

/** Of a message, in their order. */
export const STATUSES = ['sent', 'delivered', 'read'] as const;

export interface Status {
  id: string;
  /** The customer. */
  to: string;
  /** Id of the phone number that sent the message. */
  phone: string;
  status: (typeof STATUSES)[number];
}

/** One signed notification with these changes. */
export function toNotification(changes: readonly object[]): Prepared {
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: ACCOUNT, time: 1_700_000_000, changes }],
  });
  const hmac = createHmac('sha256', APP_SECRET).update(body).digest('hex');
  return { body, headers: { 'x-hub-signature-256': `sha256=${hmac}` } };
}

export const toStatusChange = ({ id, to, phone, status }: Status): object =>
  toChange(phone, {
    statuses: [
      {
        id,
        status,
        timestamp: timestampOfNow(),
        recipient_id: to,
        pricing: { billable: true, pricing_model: 'PMP', category: 'utility', type: 'regular' },
      },
    ],
  });

export const toMessageChange = (phone: string, id: string, customer: string): object =>
  toChange(phone, {
    contacts: [{ wa_id: customer, profile: { name: 'Kim Sample' } }],
    messages: [
      {
        id,
        from: customer,
        timestamp: timestampOfNow(),
        type: 'text',
        text: { body: 'Where is my order? It was to arrive today.' },
      },
    ],
  });

const timestampOfNow = (): string => String(Math.floor(Date.now() / 1000));

function toChange(phone: string, said: object): object {
  const metadata = { display_phone_number: '12125550101', phone_number_id: phone };
  return { field: 'messages', value: { messaging_product: 'whatsapp', metadata, ...said } };
}
