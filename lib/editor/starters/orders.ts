import { edge, messaging, type Starter, task, trigger } from './build.ts';

export const orderConfirmation: Starter = {
  id: 'order-confirmation',
  name: 'Order confirmation',
  summary: 'Confirms each new order to the customer with an approved message template.',
  description:
    'Your shop posts each new order. Customers who left a number get the message template “order_confirmation” with their name and the order number; it may be sent at any time, without a conversation before.',
  category: 'Orders',
  icon: 'PackageCheck',
  graph: {
    tasks: [
      trigger('New order', { response_body: '{"status":"received","order":"{{order.number}}"}' }),
      task(2, 'if_condition', 'Has a number?', [1, 0], {
        match: 'all',
        conditions: [{ left: '{{task_1_customer_phone}}', operator: 'is_not_empty', right: '' }],
      }),
      messaging(3, 'Confirm the order', [2, 0], {
        action: 'send_template',
        recipient: '{{task_1_customer_phone}}',
        template_name: 'order_confirmation',
        template_language: 'en_US',
        template_parameters: ['{{task_1_customer_name}}', '{{task_1_order_number}}'],
      }),
    ],
    edges: [edge(1, 2), edge(2, 3, 'true')],
  },
  startedBy: 'webhook',
  sample: {
    customer: { name: 'Sample Customer', phone: '15550101001' },
    order: { number: 'A-1001', total: 184.35, currency: 'EUR' },
  },
};

export const abandonedCart: Starter = {
  id: 'abandoned-cart',
  name: 'Abandoned cart',
  summary: 'Waits an hour, checks whether the cart was paid for, and reminds the customer if not.',
  description:
    'Your shop posts a cart when its customer leaves. An hour later the workflow asks the shop for the cart’s state (put your shop’s address into “Get the cart”); a cart that is still not paid leads to a reminder. It sends the message template “cart_reminder” with name and item; the sandbox has it, with your own account, create it under Message templates first. The wait survives restarts.',
  category: 'Orders',
  icon: 'ShoppingCart',
  graph: {
    tasks: [
      trigger('Cart abandoned'),
      task(2, 'delay', 'Wait an hour', [1, 0], { mode: 'for', amount: 1, unit: 'hours' }),
      task(
        3,
        'http_request',
        'Get the cart',
        [2, 0],
        { method: 'GET', url: 'https://shop.example.com/api/carts/{{task_1_cart_id}}' },
        { max_attempts: 3 },
      ),
      task(4, 'if_condition', 'Still unpaid?', [3, 0], {
        match: 'all',
        conditions: [{ left: '{{task_3_body_status}}', operator: 'not_equals', right: 'paid' }],
      }),
      messaging(5, 'Send the reminder', [4, 0], {
        action: 'send_template',
        recipient: '{{task_1_customer_phone}}',
        template_name: 'cart_reminder',
        template_language: 'en_US',
        template_parameters: ['{{task_1_customer_name}}', '{{task_1_items_0_name}}'],
      }),
    ],
    edges: [edge(1, 2), edge(2, 3), edge(3, 4), edge(4, 5, 'true')],
  },
  startedBy: 'webhook',
  sample: {
    cart_id: '77',
    customer: { name: 'Sample Customer', phone: '15550101001' },
    items: [{ name: 'Mechanical keyboard', quantity: 1 }],
  },
};

export const appointmentReminder: Starter = {
  id: 'appointment-reminder',
  name: 'Appointment reminder',
  summary: 'Sends an appointment reminder at the time your calendar sets.',
  description:
    'Your calendar posts an appointment with the instant at which to remind. The workflow waits until then and sends the message template “appointment_reminder”.',
  category: 'Conversations',
  icon: 'CalendarClock',
  graph: {
    tasks: [
      trigger('Appointment booked'),
      task(2, 'delay', 'Wait until the reminder', [1, 0], { mode: 'until', until: '{{task_1_remind_at}}' }),
      messaging(3, 'Remind', [2, 0], {
        action: 'send_template',
        recipient: '{{task_1_phone}}',
        template_name: 'appointment_reminder',
        template_language: 'en_US',
        template_parameters: ['{{task_1_name}}', '{{task_1_day}}', '{{task_1_time}}'],
      }),
    ],
    edges: [edge(1, 2), edge(2, 3)],
  },
  startedBy: 'webhook',
  sample: {
    name: 'Sample Customer',
    phone: '15550101001',
    day: '12 May',
    time: '10:30',
    remind_at: '2030-05-11T10:30:00+02:00',
  },
};
