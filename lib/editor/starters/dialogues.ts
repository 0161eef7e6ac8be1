// Conversations that ask a question and continue with the answer.
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { edge, messageTrigger, messaging, sampleMessage, type Starter, task, trigger } from './build.ts';

/** A question; the user selects account and number. */
const ask = (
  id: number,
  name: string,
  place: [column: number, row: number],
  settings: Record<string, unknown>,
): WorkflowTask => task(id, 'ask_and_wait', name, place, { recipient: '{{task_1_phone}}', ...settings });

const say = (id: number, name: string, place: [column: number, row: number], text: string): WorkflowTask =>
  messaging(id, name, place, { action: 'send_text', recipient: '{{task_1_phone}}', message_text: text });

/** Calls a system of the user's own. */
const post = (
  id: number,
  name: string,
  place: [column: number, row: number],
  { url, body, ...more }: { url: string; body: string } & Partial<WorkflowTask>,
): WorkflowTask =>
  task(
    id,
    'http_request',
    name,
    place,
    { method: 'POST', url, body_type: 'json', body },
    { max_attempts: 3, ...more },
  );

export const appointmentRebooking: Starter = {
  id: 'appointment-rebooking',
  name: 'Appointment with rebooking',
  summary:
    'Reminds of an appointment, lets the customer confirm or choose another time, and tells your calendar.',
  description:
    'Your calendar posts an appointment with the instant at which to remind. The message template “appointment_reminder” asks whether it still suits, at any time. Who taps “Reschedule” chooses from a list of times (change them in “Offer other times”) and is reminded once; your calendar is told the choice. If it does not take the time, because it is no longer free, the list comes again, up to three times (“Until a time is free”). Where nobody answers, or no time was free, your team is asked to call. Put the addresses of your systems into “Rebook” and “Ask for a call”.',
  category: 'Conversations',
  icon: 'CalendarSync',
  graph: {
    tasks: [
      trigger('Appointment booked'),
      task(2, 'delay', 'Wait until the reminder', [1, 0], { mode: 'until', until: '{{task_1_remind_at}}' }),
      ask(3, 'Does it still suit?', [2, 0], {
        answer_by: 'template',
        template_name: 'appointment_reminder',
        template_language: 'en_US',
        template_parameters: ['{{task_1_name}}', '{{task_1_day}}', '{{task_1_time}}'],
        quick_replies: [
          { title: 'Confirm', index: 0 },
          { title: 'Reschedule', index: 1 },
        ],
        wait_amount: 12,
        wait_unit: 'hours',
      }),
      say(
        4,
        'Confirm it',
        [3, -1],
        'Thank you, {{task_1_name}}. See you on {{task_1_day}} at {{task_1_time}}.',
      ),
      task(10, 'loop', 'Until a time is free', [3, 0], {
        repeat: 'until',
        until: [{ left: '{{task_6_run}}', operator: 'not_equals', right: false }],
        max_passes: 3,
      }),
      ask(5, 'Offer other times', [4, 0], {
        question:
          '{{#if task_10_index}}Which other time suits you?{{else}}No problem. Which time suits you better?{{/if}}',
        answer_by: 'list',
        list_button: 'See times',
        rows: [
          { title: 'Monday, 9:00', description: 'Morning' },
          { title: 'Tuesday, 14:00', description: 'Afternoon' },
          { title: 'Thursday, 17:30', description: 'After work' },
        ],
        retry_text: 'Please choose one of these times, so that we can look whether it is free.',
        max_retries: 1,
        wait_amount: 6,
        wait_unit: 'hours',
        reminders: [
          { amount: 1, unit: 'hours', text: 'Please choose a new time from the list above, or write to us.' },
        ],
      }),
      post(6, 'Rebook', [5, 0], {
        url: 'https://calendar.example.com/api/appointments',
        body: '{"phone":"{{task_1_phone}}","name":"{{task_1_name}}","was":"{{task_1_day}}, {{task_1_time}}","now":"{{task_5_choice}}"}',
        on_failure: 'branch',
      }),
      say(7, 'Tell the new time', [6, 0], 'Your new appointment: {{task_5_choice}}. See you then!'),
      say(11, 'Say that it is taken', [6, 1], 'I am sorry, {{task_5_choice}} is no longer free.'),
      task(12, 'if_condition', 'Chose a time?', [4, 2], {
        match: 'all',
        conditions: [{ left: '{{task_10_last_choice}}', operator: 'is_not_empty', right: '' }],
      }),
      say(
        9,
        'Announce a call',
        [4, 3],
        'Thank you, {{task_1_name}}. A colleague will call you about another time.',
      ),
      post(8, 'Ask for a call', [5, 2], {
        url: 'https://crm.example.com/api/tasks',
        body: '{"title":"Call {{task_1_name}} about {{task_1_day}}, {{task_1_time}}","phone":"{{task_1_phone}}","reason":"{{task_3_run_text}} {{task_10_run_text}}"}',
      }),
    ],
    edges: [
      edge(1, 2),
      edge(2, 3),
      edge(3, 4, 'choice_1'),
      edge(3, 10, 'choice_2'),
      edge(3, 8, 'other'),
      edge(3, 8, 'no_answer'),
      edge(3, 8, 'undelivered'),
      edge(10, 5, 'each'),
      edge(5, 6, 'choice_1'),
      edge(5, 6, 'choice_2'),
      edge(5, 6, 'choice_3'),
      edge(6, 7),
      edge(6, 11, 'failed'),
      edge(10, 12, 'done'),
      edge(12, 8, 'false'),
      edge(10, 9, 'limit'),
      edge(9, 8),
    ],
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

export const orderStatus: Starter = {
  id: 'order-status',
  name: 'Order status on demand',
  summary: 'Answers customers who write “order 1001” with the status that your shop has.',
  description:
    'Runs when a customer writes to your number and asks for an order or a delivery. Without a number in the message the workflow asks for it, again if need be, and waits for the answer. Then it asks your shop (put its address into “Look it up”) and sends the status; where the shop has no such order, the customer is told so. With the sandbox, write from a customer’s phone there.',
  category: 'Conversations',
  icon: 'PackageSearch',
  graph: {
    tasks: [
      messageTrigger('Message from a customer'),
      task(2, 'if_condition', 'Asks for an order?', [1, 0], {
        match: 'all',
        conditions: [{ left: '{{task_1_text}}', operator: 'matches', right: '(?i)order|parcel|delivery' }],
      }),
      task(3, 'if_condition', 'Has its number?', [2, 0], {
        match: 'all',
        conditions: [{ left: '{{task_1_text}}', operator: 'matches', right: '\\d{3,}' }],
      }),
      ask(4, 'Ask for the number', [3, 1], {
        recipient: '{{task_1_from}}',
        question: 'Which order is it about? Please write its number, such as 1001.',
        answer_by: 'text',
        until: [{ left: '{{task_4_answer}}', operator: 'matches', right: '\\d{3,}' }],
        retry_text: 'The number is in our confirmation. Which one is it?',
        max_retries: 2,
        wait_amount: 6,
        wait_unit: 'hours',
      }),
      task(
        5,
        'http_request',
        'Look it up',
        [4, 0],
        {
          method: 'GET',
          url: 'https://shop.example.com/api/orders',
          query: [
            {
              name: 'search',
              value: '{{#if task_4_answer}}{{task_4_answer}}{{else}}{{task_1_text}}{{/if}}',
            },
          ],
        },
        { max_attempts: 3, on_failure: 'branch' },
      ),
      messaging(6, 'Send the status', [5, 0], {
        action: 'send_text',
        recipient: '{{task_1_from}}',
        message_text: 'Hi {{task_1_from_name}}, the status of your order is: {{task_5_body_status}}.',
      }),
      messaging(7, 'Say that there is none', [5, 1], {
        action: 'send_text',
        recipient: '{{task_1_from}}',
        message_text: 'We cannot find this order. A colleague will look and write to you here.',
      }),
    ],
    edges: [
      edge(1, 2),
      edge(2, 3, 'true'),
      edge(3, 5, 'true'),
      edge(3, 4, 'false'),
      edge(4, 5, 'answered'),
      edge(4, 7, 'other'),
      edge(5, 6),
      edge(5, 7, 'failed'),
    ],
  },
  startedBy: 'messages',
  sample: sampleMessage('Where is my order 1001?'),
};

export const deliveryFeedback: Starter = {
  id: 'delivery-feedback',
  name: 'Feedback after delivery',
  summary: 'Asks how a delivery was, invites happy customers to a review and collects what went wrong.',
  description:
    'Your shop posts each delivery. The message template “delivery_feedback” asks how it was, at any time; the sandbox has it, with your own account, create it under Message templates first, with the same three buttons. Who is happy is invited to a review; all others are asked what to do better, and your support gets the answer, as it gets what is written instead of tapping a button (put its address into “Report it” and “Report the rating”).',
  category: 'Conversations',
  icon: 'Star',
  graph: {
    tasks: [
      trigger('Order delivered'),
      ask(2, 'How was it?', [1, 0], {
        answer_by: 'template',
        template_name: 'delivery_feedback',
        template_language: 'en_US',
        template_parameters: ['{{task_1_name}}', '{{task_1_order_number}}'],
        quick_replies: [
          { title: 'Great', index: 0 },
          { title: 'Okay', index: 1 },
          { title: 'Not good', index: 2 },
        ],
        wait_amount: 2,
        wait_unit: 'days',
      }),
      say(
        3,
        'Invite to a review',
        [2, -1],
        'Thank you, {{task_1_name}}! A short review helps us a lot: https://example.com/review',
      ),
      ask(4, 'What to do better?', [2, 0], {
        question: 'Thank you for telling us. What should we do better?',
        answer_by: 'text',
        pause_seconds: 30,
        wait_amount: 12,
        wait_unit: 'hours',
      }),
      post(5, 'Report it', [3, 0], {
        url: 'https://support.example.com/api/tickets',
        body: '{"order":"{{task_1_order_number}}","phone":"{{task_1_phone}}","rating":"{{task_2_choice}}","words":"{{#if task_4_answer}}{{task_4_answer}}{{else}}{{task_2_answer}}{{/if}}"}',
      }),
      say(6, 'Thank them', [3, 1], 'Thank you, {{task_1_name}}. A colleague reads this today.'),
      post(7, 'Report the rating', [3, 2], {
        url: 'https://support.example.com/api/ratings',
        body: '{"order":"{{task_1_order_number}}","phone":"{{task_1_phone}}","rating":"{{task_2_choice}}"}',
      }),
    ],
    edges: [
      edge(1, 2),
      edge(2, 3, 'choice_1'),
      edge(2, 4, 'choice_2'),
      edge(2, 4, 'choice_3'),
      edge(2, 5, 'other'),
      edge(2, 6, 'other'),
      edge(4, 5, 'answered'),
      edge(4, 6, 'answered'),
      edge(4, 7, 'no_answer'),
    ],
  },
  startedBy: 'webhook',
  sample: { name: 'Sample Customer', phone: '15550101001', order_number: 'A-1001' },
};

export const optIn: Starter = {
  id: 'opt-in',
  name: 'Opt-in with confirmation',
  summary: 'Asks everyone who signs up to confirm on their phone, and records their consent.',
  description:
    'A form on your site sends name and phone; after “Use this”, the trigger has one to copy under “Send a form from a website”. The message template “news_opt_in” asks for a confirmation: the sandbox has it, with your own account, create it under Message templates first, with the same two buttons. Only who confirms is recorded as subscribed, with the instant and the message (put the address of your system into “Record the consent” and “Record the refusal”). Who does not answer within three days gets no further message.',
  category: 'Conversations',
  icon: 'BadgeCheck',
  graph: {
    tasks: [
      trigger('Signed up'),
      ask(2, 'Confirm?', [1, 0], {
        answer_by: 'template',
        template_name: 'news_opt_in',
        template_language: 'en_US',
        template_parameters: ['{{task_1_name}}'],
        quick_replies: [
          { title: 'Yes, please', index: 0 },
          { title: 'No, thanks', index: 1 },
        ],
        wait_amount: 3,
        wait_unit: 'days',
      }),
      post(3, 'Record the consent', [2, 0], {
        url: 'https://crm.example.com/api/consents',
        body: '{"phone":"{{task_1_phone}}","consent":true,"at":"{{$now}}","answer":"{{task_2_choice}}","message_id":"{{task_2_message_id}}"}',
      }),
      say(4, 'Welcome', [3, -1], 'Welcome, {{task_1_name}}! You get our news here. To stop, just tell us.'),
      post(5, 'Record the refusal', [2, 1], {
        url: 'https://crm.example.com/api/consents',
        body: '{"phone":"{{task_1_phone}}","consent":false,"at":"{{$now}}","answer":"{{task_2_choice}}","message_id":"{{task_2_message_id}}"}',
      }),
      say(6, 'Say goodbye', [3, 2], 'All right, we will not send you news.'),
    ],
    edges: [
      edge(1, 2),
      edge(2, 3, 'choice_1'),
      edge(2, 4, 'choice_1'),
      edge(2, 5, 'choice_2'),
      edge(2, 6, 'choice_2'),
    ],
  },
  startedBy: 'webhook',
  sample: { name: 'Sample Customer', phone: '15550101001' },
};
