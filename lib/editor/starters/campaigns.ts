import { edge, messaging, type Starter, task, trigger } from './build.ts';

export const bulkAnnouncement: Starter = {
  id: 'bulk-announcement',
  name: 'Bulk announcement',
  summary: 'Messages a list of recipients with a pause in between, then reports the result.',
  description:
    'Post a list of recipients with the day and title of an event. Each gets the message template “author_reading” (or one of yours with two placeholders) with four seconds in between, as the platform requires; a message that fails does not stop the others. At the end your system is told how many there were (put its address into “Report”).',
  category: 'Campaigns',
  icon: 'Megaphone',
  graph: {
    tasks: [
      trigger('Announcement'),
      task(2, 'loop', 'For each recipient', [1, 0], {
        items: '{{task_1_recipients}}',
        pause_seconds: 4,
        on_item_failure: 'continue',
      }),
      messaging(3, 'Send', [2, 0], {
        action: 'send_template',
        recipient: '{{task_2_item_phone}}',
        template_name: 'author_reading',
        template_language: 'en_US',
        template_parameters: ['{{task_1_day}}', '{{task_1_title}}'],
      }),
      task(4, 'http_request', 'Report', [2, 1], {
        method: 'POST',
        url: 'https://example.com/api/campaign-reports',
        body_type: 'json',
        body: '{"receivers":{{task_2_count}},"failed":{{task_2_failed_count}},"finished_at":"{{$now}}"}',
      }),
    ],
    edges: [edge(1, 2), edge(2, 3, 'each'), edge(2, 4, 'done')],
  },
  startedBy: 'webhook',
  sample: {
    day: 'Friday',
    title: 'Sea Stories',
    recipients: [
      { name: 'Sample Customer', phone: '15550101001' },
      { name: 'Another Customer', phone: '15550101002' },
    ],
  },
};
