import { edge, messaging, type Starter, task, trigger } from './build.ts';

export const bulkAnnouncement: Starter = {
  id: 'bulk-announcement',
  name: 'Bulk announcement',
  summary: 'Sends an announcement to one recipient. An uploaded list starts it for each row.',
  description:
    'Upload a CSV file under “Lists”, with the columns phone, day and title: each row starts this workflow once, as fast as your number may send. The customer gets the message template “author_reading” (or one of yours with two placeholders). Rows without a number, of customers who stopped messages and with the same number again are skipped. The list shows who got the message, and retries those that failed.',
  category: 'Campaigns',
  icon: 'Megaphone',
  graph: {
    tasks: [
      trigger('Recipient'),
      messaging(2, 'Announce', [1, 0], {
        action: 'send_template',
        recipient: '{{task_1_phone}}',
        template_name: 'author_reading',
        template_language: 'en_US',
        template_parameters: ['{{task_1_day}}', '{{task_1_title}}'],
      }),
    ],
    edges: [edge(1, 2)],
  },
  startedBy: 'webhook',
  sample: { phone: '15550101001', name: 'Sample Customer', day: 'Friday', title: 'Sea Stories' },
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
        template_parameters: ['{{task_3_item_name}}', 'today', '{{task_3_item_time}}'],
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
    time_zone: 'Europe/Berlin',
    is_late: false,
    missed_since: null,
    is_manual: false,
  },
};
