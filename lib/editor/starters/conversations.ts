import { edge, messageTrigger, messaging, sampleMessage, type Starter, task, trigger } from './build.ts';

export const autoReply: Starter = {
  id: 'auto-reply',
  name: 'Answer incoming messages',
  summary: 'Marks each incoming message as read and replies to it.',
  description:
    'Runs when a customer writes to your number. After “Use this”, select a connection in the trigger, and account and number in the message tasks, and publish. Texts and button replies are marked as read; customers who ask for prices get them, everybody else gets a friendly reply. A text can be sent within 24 hours of the customer’s last message, which has just arrived. With the sandbox, write from a customer’s phone there.',
  category: 'Conversations',
  icon: 'MessagesSquare',
  graph: {
    tasks: [
      messageTrigger('Message from a customer', { beside_others: 'not' }),
      task(2, 'if_condition', 'Is it a text message?', [1, 0], {
        match: 'all',
        conditions: [{ left: '{{task_1_type}}', operator: 'in_list', right: 'text, button, interactive' }],
      }),
      messaging(
        3,
        'Mark as read',
        [2, 0],
        { action: 'mark_as_read', message_id: '{{task_1_message_id}}' },
        { on_failure: 'continue' },
      ),
      task(4, 'if_condition', 'Asking about prices?', [3, 0], {
        match: 'all',
        conditions: [{ left: '{{task_1_text}}', operator: 'matches', right: '(?i)price|cost|how much' }],
      }),
      messaging(5, 'Send the prices', [4, 0], {
        action: 'send_text',
        recipient: '{{task_1_from}}',
        message_text: 'Our price list is at https://example.com/prices. Anything else?',
        preview_url: true,
      }),
      messaging(6, 'Send a greeting', [4, 1], {
        action: 'send_text',
        recipient: '{{task_1_from}}',
        message_text: 'Thank you for your message! We answer on weekdays from 9 am to 5 pm.',
      }),
    ],
    edges: [edge(1, 2), edge(2, 3, 'true'), edge(3, 4), edge(4, 5, 'true'), edge(4, 6, 'false')],
  },
  startedBy: 'messages',
  sample: sampleMessage('How much is it?'),
};

export const leadWelcome: Starter = {
  id: 'lead-welcome',
  name: 'Welcome a new lead',
  summary: 'Messages everyone who fills in your form, and notifies your CRM if that fails.',
  description:
    'A form on your site sends name, phone and interest; after “Use this”, the trigger has one to copy under “Send a form from a website”. The lead gets the message template “lead_welcome” with buttons to answer with. If the message cannot be sent, the “failed” exit tells your CRM to call instead (put its address into “Ask for a call”).',
  category: 'Conversations',
  icon: 'UserPlus',
  graph: {
    tasks: [
      trigger('Form submitted'),
      messaging(
        2,
        'Welcome the lead',
        [1, 0],
        {
          action: 'send_template',
          recipient: '{{task_1_phone}}',
          template_name: 'lead_welcome',
          template_language: 'en_US',
          template_parameters: ['{{task_1_name}}', '{{task_1_interest}}'],
        },
        { on_failure: 'branch' },
      ),
      task(3, 'http_request', 'Ask for a call', [2, 1], {
        method: 'POST',
        url: 'https://crm.example.com/api/tasks',
        body_type: 'json',
        body: '{"title":"Call {{task_1_name}}","phone":"{{task_1_phone}}","reason":"{{task_2_run_text}}"}',
      }),
    ],
    edges: [edge(1, 2), edge(2, 3, 'failed')],
  },
  startedBy: 'webhook',
  sample: { name: 'Sample Customer', phone: '15550101001', interest: 'our club' },
};

export const mediaOnRequest: Starter = {
  id: 'media-on-request',
  name: 'Send a file on request',
  summary: 'Sends your catalog as a document, or an image, to anyone who asks for it.',
  description:
    'Your site or chat posts who asked for what. A request for the catalog sends the PDF, anything else sends an image. Files must be reachable without a login; the recipient must have messaged you within 24 hours (with the sandbox, write from the customer’s phone there first).',
  category: 'Conversations',
  icon: 'Image',
  graph: {
    tasks: [
      trigger('File requested'),
      task(2, 'if_condition', 'The catalog?', [1, 0], {
        match: 'all',
        conditions: [{ left: '{{task_1_wants}}', operator: 'equals', right: 'catalogue' }],
      }),
      messaging(3, 'Send the catalog', [2, 0], {
        action: 'send_media',
        recipient: '{{task_1_phone}}',
        media_type: 'document',
        media_url: 'https://example.com/files/catalogue.pdf',
        caption: 'Here is our catalog, {{task_1_name}}.',
        filename: 'catalogue.pdf',
      }),
      messaging(4, 'Send an image', [2, 1], {
        action: 'send_media',
        recipient: '{{task_1_phone}}',
        media_type: 'image',
        media_url: 'https://example.com/files/showroom.jpg',
        caption: 'This is what it looks like.',
      }),
    ],
    edges: [edge(1, 2), edge(2, 3, 'true'), edge(2, 4, 'false')],
  },
  startedBy: 'webhook',
  sample: { name: 'Sample Customer', phone: '15550101001', wants: 'catalogue' },
};
