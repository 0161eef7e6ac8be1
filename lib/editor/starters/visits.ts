// Guests and appointments: what depends on the time of day.
import { edge, messageTrigger, messaging, sampleMessage, type Starter, task } from './build.ts';

export const tableReservation: Starter = {
  id: 'table-reservation',
  name: 'Reserve a table',
  summary:
    'Asks the guest for a time until one is free, within opening hours, and reminds at 9:00 the next morning.',
  description:
    'Runs when a guest writes to your number and asks for a table for tomorrow. Outside the opening hours (Settings → Time) the guest learns when you answer. Otherwise the workflow asks for a time, and your system whether a table is free (put its address into “Is it free?”; it answers {"free": true} or false), up to three times. Then it confirms, and reminds with the message template “appointment_reminder” the next morning. Where no time was free, the guest is asked to call.',
  category: 'Conversations',
  icon: 'Utensils',
  graph: {
    tasks: [
      messageTrigger('Message from a guest', { words: ['table', 'reservation', 'reserve'] }),
      task(2, 'opening_hours', 'Are we open?', [1, 0], { action: 'if_open' }),
      task(3, 'loop', 'Until a time is free', [2, 0], {
        repeat: 'until',
        until: [{ left: '{{task_5_body_free}}', operator: 'equals', right: 'true' }],
        max_passes: 3,
      }),
      task(4, 'ask_and_wait', 'Which time?', [3, 0], {
        recipient: '{{task_1_from}}',
        question:
          '{{#if task_3_index}}We are full at that time. Which other time suits you?{{else}}With pleasure! At which time would you like to come tomorrow, such as 19:30?{{/if}}',
        answer_by: 'text',
        until: [{ left: '{{task_4_answer}}', operator: 'matches', right: '\\d' }],
        retry_text: 'Please write a time, such as 19:30.',
        max_retries: 2,
        wait_amount: 6,
        wait_unit: 'hours',
      }),
      task(
        5,
        'http_request',
        'Is it free?',
        [4, 0],
        {
          method: 'GET',
          url: 'https://restaurant.example.com/api/tables',
          query: [{ name: 'time', value: '{{task_4_answer}}' }],
        },
        { max_attempts: 3 },
      ),
      messaging(6, 'Confirm', [3, 1], {
        action: 'send_text',
        recipient: '{{task_1_from}}',
        message_text: 'Your table is reserved for tomorrow, {{task_3_last_answer}}. See you then!',
      }),
      task(7, 'opening_hours', 'The next morning', [4, 1], {
        action: 'delay_until_time',
        time: '09:00',
        day: 'tomorrow',
      }),
      messaging(8, 'Remind', [5, 1], {
        action: 'send_template',
        recipient: '{{task_1_from}}',
        template_name: 'appointment_reminder',
        template_language: 'en_US',
        template_parameters: [
          '{{task_1_from_name}}',
          '{{date $now "D MMMM" zone="workspace"}}',
          '{{task_3_last_answer}}',
        ],
      }),
      messaging(9, 'Ask for a call', [3, 2], {
        action: 'send_text',
        recipient: '{{task_1_from}}',
        message_text: 'We have not found a time. Please call us, and we find a table for you.',
      }),
      messaging(10, 'Say that you are closed', [2, 3], {
        action: 'send_text',
        recipient: '{{task_1_from}}',
        message_text:
          'Thank you for your message. We are closed at the moment; write again when we are open.',
      }),
    ],
    edges: [
      edge(1, 2),
      edge(2, 3, 'open'),
      edge(2, 10, 'closed'),
      edge(3, 4, 'each'),
      edge(4, 5, 'answered'),
      edge(3, 6, 'done'),
      edge(3, 9, 'limit'),
      edge(6, 7),
      edge(7, 8),
    ],
  },
  startedBy: 'messages',
  sample: sampleMessage('Do you have a table for two tomorrow?'),
};

export const morningReminders: Starter = {
  id: 'morning-reminders',
  name: 'Reminders each morning',
  summary: 'Each weekday at 9:00 it asks your calendar who comes today, and reminds each of them.',
  description:
    'Starts on its own, at the times that you choose in the trigger, in the time zone of the workspace. “Who comes today?” asks your calendar for the appointments of the day (put its address there); it answers with a list such as {"appointments": [{"name": "…", "phone": "…", "time": "10:30"}]}. Each of them gets the message template “appointment_reminder”. A recipient who cannot be reached does not stop the others. Try it with “Start now”.',
  category: 'Campaigns',
  icon: 'AlarmClock',
  graph: {
    tasks: [
      task(1, 'schedule_trigger', 'Each weekday at 9:00', [0, 0], { cron: '0 9 * * 1-5' }),
      task(
        2,
        'http_request',
        'Who comes today?',
        [1, 0],
        {
          method: 'GET',
          url: 'https://calendar.example.com/api/appointments',
          query: [{ name: 'day', value: '{{task_1_date}}' }],
        },
        { max_attempts: 3 },
      ),
      task(3, 'loop', 'For each appointment', [2, 0], {
        items: '{{task_2_body_appointments}}',
        on_item_failure: 'continue',
      }),
      messaging(4, 'Remind', [3, 0], {
        action: 'send_template',
        recipient: '{{task_3_item_phone}}',
        template_name: 'appointment_reminder',
        template_language: 'en_US',
        template_parameters: [
          '{{task_3_item_name}}',
          '{{date $now "D MMMM" zone="workspace"}}',
          '{{task_3_item_time}}',
        ],
      }),
    ],
    edges: [edge(1, 2), edge(2, 3), edge(3, 4, 'each')],
  },
  startedBy: 'schedule',
  sample: {
    scheduled_at: '2026-01-05T08:00:00.000Z',
    date: '2026-01-05',
    time: '09:00',
    weekday: 'monday',
    zone: 'Europe/Berlin',
    is_late: false,
    missed_since: null,
    is_manual: false,
  },
};
