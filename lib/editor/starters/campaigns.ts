import { edge, messaging, type Starter, trigger } from './build.ts';

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
