import { edge, messaging, type Starter, task, trigger } from './build.ts';

export const statusReport: Starter = {
  id: 'status-report',
  name: 'Delivery status on request',
  summary: 'Responds to the caller with the delivery status of a message, in the same request.',
  description:
    'A caller posts the id of a message that was sent. The workflow asks the platform and only then answers, with the status in the response (“Respond After Workflow Completes”).',
  category: 'Integration',
  icon: 'ChartNoAxesColumn',
  graph: {
    tasks: [
      trigger('Status requested', {
        response_type: 'after_workflow',
        response_format: 'json',
        response_body:
          '{"message_id":{{message_id}},"status":{{task_2_data_status}},"since":{{task_2_data_timestamp}},"checked_at":"{{$now}}"}',
      }),
      messaging(2, 'Ask the platform', [1, 0], {
        action: 'get_message_status',
        message_id: '{{task_1_message_id}}',
      }),
    ],
    edges: [edge(1, 2)],
  },
  startedBy: 'webhook',
  sample: { message_id: 'wamid.sample' },
};

export const redirectAfterForm: Starter = {
  id: 'redirect-after-form',
  name: 'Thank-you page after a form',
  summary: 'Redirects visitors to your thank-you page and confirms their order in the background.',
  description:
    'A form on your site sends the visitor’s name, phone and order reference. A plain HTML form does not send JSON, so after “Use this” open the trigger, set the redirect URL to your thank-you page, and under “Send a form from a website” copy a form whose script does: it sends the fields, then opens the thank-you page with the visitor’s name. Callers that read the response, such as your own server, get the same address as a redirect (302). In the meantime the order is confirmed with the message template “order_confirmation”.',
  category: 'Integration',
  icon: 'CornerUpRight',
  graph: {
    tasks: [
      trigger('Form submitted', {
        response_type: 'redirect',
        redirect_url: 'https://example.com/thanks?name={{name}}',
      }),
      task(2, 'set_variables', 'Clean up', [1, 0], {
        variables: [
          { name: 'phone', value: '{{task_1_phone}}' },
          { name: 'greeting', value: '{{#if task_1_name}}{{task_1_name}}{{else}}there{{/if}}' },
        ],
      }),
      messaging(3, 'Confirm', [2, 0], {
        action: 'send_template',
        recipient: '{{task_2_phone}}',
        template_name: 'order_confirmation',
        template_language: 'en_US',
        template_parameters: ['{{task_2_greeting}}', '{{task_1_reference}}'],
      }),
    ],
    edges: [edge(1, 2), edge(2, 3)],
  },
  startedBy: 'webhook',
  sample: { name: 'Sample Customer', phone: '15550101001', reference: 'A-1001' },
};
