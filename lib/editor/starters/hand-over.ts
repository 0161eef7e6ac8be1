import { edge, messageTrigger, messaging, sampleMessage, type Starter, task } from './build.ts';

const CUSTOMER = { recipient: '{{task_1_from}}' };

export const leadQualification: Starter = {
  id: 'lead-qualification',
  name: 'Qualify a lead and hand it over',
  summary: 'Asks a new lead what they need and what they can spend, then asks a colleague to take over.',
  description:
    'Runs when a customer writes that they want a quote. It asks what they need (a list) and for their budget (a number, asked again when it is none; customers who don’t give one get a message that you will get back to them). From 1000 on, a colleague gets a link with the message template “decision_request”: put their number into “Ask a colleague”. The link opens a page with two buttons; what your colleague chooses there decides which message the customer gets. After four hours without a decision the customer gets a message that you will get back to them. After “Use this”, select a connection in the trigger, and account and number in the other tasks, and publish.',
  category: 'Conversations',
  icon: 'Handshake',
  graph: {
    tasks: [
      messageTrigger('Message from a customer'),
      task(2, 'if_condition', 'Asking for a quote?', [1, 0], {
        match: 'all',
        conditions: [{ left: '{{task_1_text}}', operator: 'matches', right: '(?i)quote|offer|estimate' }],
      }),
      task(3, 'ask_and_wait', 'Ask what they need', [2, 0], {
        ...CUSTOMER,
        question: 'Thank you for your message, {{task_1_from_name}}! What can we build for you?',
        answer_by: 'list',
        list_button: 'Choose',
        rows: [
          { title: 'Website', description: 'Pages about your company' },
          { title: 'Online shop', description: 'With payment and shipping' },
          { title: 'Something else', description: 'Tell a colleague about it' },
        ],
        wait_amount: 12,
        wait_unit: 'hours',
        reminders: [{ amount: 1, unit: 'hours', text: 'Are you still there? Please choose from the list.' }],
      }),
      task(4, 'ask_and_wait', 'Ask for the budget', [3, 0], {
        ...CUSTOMER,
        question: 'How much would you like to spend, in euros?',
        answer_by: 'text',
        answer_kind: 'number',
        retry_text: 'Please write the amount as a number, for example 2500.',
        wait_amount: 12,
        wait_unit: 'hours',
      }),
      task(5, 'if_condition', 'Large enough?', [4, 0], {
        match: 'all',
        conditions: [{ left: '{{task_4_answer}}', operator: 'at_least', right: '1000' }],
      }),
      task(6, 'approval_link', 'Link for a colleague', [5, 0], {
        question: 'Take over the lead {{task_1_from_name}}?',
        details: 'Number: {{task_1_from}}\nNeeds: {{task_3_answer}}\nBudget: {{task_4_answer}} euros',
        approve_label: 'I take over',
        reject_label: 'Not now',
        valid_amount: 4,
        valid_unit: 'hours',
      }),
      messaging(7, 'Ask a colleague', [6, 0], {
        action: 'send_template',
        recipient: '15550101002',
        template_name: 'decision_request',
        template_language: 'en_US',
        template_parameters: ['a lead, {{task_3_answer}} for {{task_4_answer}} euros', '{{task_6_url}}'],
      }),
      task(8, 'wait_for_approval', 'Wait for the colleague', [7, 0], {
        link_id: '{{task_6_link_id}}',
        wait_amount: 4,
        wait_unit: 'hours',
      }),
      messaging(9, 'A colleague takes over', [8, 0], {
        action: 'send_text',
        ...CUSTOMER,
        message_text: 'Good news: a colleague will write to you in a moment. {{task_8_comment}}',
      }),
      messaging(10, 'We will get back', [8, 1], {
        action: 'send_text',
        ...CUSTOMER,
        message_text: 'Thank you! We will get back to you within one working day.',
      }),
      messaging(11, 'Send the packages', [5, 1], {
        action: 'send_text',
        ...CUSTOMER,
        message_text: 'Thank you! Our packages below 1000 euros are at https://example.com/packages.',
      }),
      messaging(12, 'Talk about it later', [4, 1], {
        action: 'send_text',
        ...CUSTOMER,
        message_text: 'No problem, we can talk about it. We will get back to you within one working day.',
      }),
    ],
    edges: [
      edge(1, 2),
      edge(2, 3, 'true'),
      edge(3, 4, 'choice_1'),
      edge(3, 4, 'choice_2'),
      edge(3, 4, 'choice_3'),
      edge(3, 4, 'other'),
      edge(4, 5, 'answered'),
      edge(4, 12, 'other'),
      edge(5, 6, 'true'),
      edge(5, 11, 'false'),
      edge(6, 7),
      edge(7, 8),
      edge(8, 9, 'approved'),
      edge(8, 10, 'rejected'),
      edge(8, 10, 'no_decision'),
    ],
  },
  startedBy: 'messages',
  sample: sampleMessage('Hello, I would like a quote.'),
};
