// Both directions between customers and an inbox in which people answer: Chatwoot, by the documented API of its channel "API"
// (docs/guides/inbox.md). What one workflow writes there, the other one reads again, as `patchbay_customer`.
import { edge, messageTrigger, messaging, sampleMessage, type Starter, task, trigger } from './build.ts';

const INBOX = 'https://app.chatwoot.com/public/api/v1/inboxes/{{task_2_inbox_identifier}}';
const CONTACT = '{{default task_3_inbox_contact task_5_body_source_id}}';
const CONVERSATION = '{{default task_3_inbox_conversation task_6_body_id}}';

/** Tried for about half a day: a request that got no answer goes out again, because a message in the inbox twice is better than none. */
const request = (id: number, name: string, place: [column: number, row: number], url: string, body: string) =>
  task(
    id,
    'http_request',
    name,
    place,
    { method: 'POST', url, body_type: 'json', body, if_unknown: 'repeat' },
    { max_attempts: 100 },
  );

export const messagesToInbox: Starter = {
  id: 'messages-to-inbox',
  name: 'Customers’ messages to your inbox',
  summary: 'Shows what customers write in Chatwoot, one conversation for each customer, in order.',
  description:
    'Runs for every message of a customer, also while another workflow talks to them. The first one creates a contact and a conversation in an inbox of the channel “API”, and remembers them with the customer. Files arrive as links. While Chatwoot is not available the messages wait, in their order. After “Use this”, select a connection in the trigger and in “Get the file”, put the inbox identifier into “Your inbox”, and, if you run Chatwoot yourself, its address into the three requests. Use it together with “Replies from your inbox”; the guide “People answer in an inbox” has every step.',
  category: 'Conversations',
  icon: 'Inbox',
  graph: {
    tasks: [
      messageTrigger('Message from a customer', { in_conversations: 'also', order_by: '{{from}}' }),
      task(2, 'set_variables', 'Your inbox', [1, 0], {
        variables: [{ name: 'inbox_identifier', value: 'inbox-identifier' }],
      }),
      task(3, 'customer_consent', 'Their conversation', [2, 0], {
        action: 'recall',
        recipient: '{{task_1_from}}',
        recalled: [{ name: 'inbox_contact' }, { name: 'inbox_conversation' }],
      }),
      task(4, 'if_condition', 'Known in the inbox?', [3, 0], {
        match: 'all',
        conditions: [{ left: '{{task_3_inbox_conversation}}', operator: 'is_not_empty' }],
      }),
      request(
        5,
        'Create contact',
        [4, 1],
        `${INBOX}/contacts`,
        '{"name":"{{default task_1_from_name task_1_from}}","custom_attributes":{"patchbay_customer":"{{task_1_from}}"}}',
      ),
      request(
        6,
        'Create conversation',
        [5, 1],
        `${INBOX}/contacts/{{task_5_body_source_id}}/conversations`,
        '{}',
      ),
      task(7, 'customer_consent', 'Remember it', [6, 1], {
        action: 'remember',
        recipient: '{{task_1_from}}',
        attributes: [
          { name: 'inbox_contact', value: '{{task_5_body_source_id}}' },
          { name: 'inbox_conversation', value: '{{task_6_body_id}}' },
        ],
      }),
      task(8, 'if_condition', 'With a file?', [7, 0], {
        match: 'all',
        conditions: [{ left: '{{task_1_media_id}}', operator: 'is_not_empty' }],
      }),
      task(
        9,
        'messaging_business_more',
        'Get the file',
        [8, 1],
        { action: 'get_media', media_id: '{{task_1_media_id}}' },
        { on_failure: 'continue' },
      ),
      request(
        10,
        'Message to the inbox',
        [9, 0],
        `${INBOX}/contacts/${CONTACT}/conversations/${CONVERSATION}/messages`,
        '{"content":"{{#if task_1_text}}{{task_1_text}}{{else}}({{task_1_type}}){{/if}}{{#if task_9_url}} {{task_9_url}}{{/if}}"}',
      ),
    ],
    edges: [
      edge(1, 2),
      edge(2, 3),
      edge(3, 4),
      edge(4, 8, 'true'),
      edge(4, 5, 'false'),
      edge(5, 6),
      edge(6, 7),
      edge(7, 8),
      edge(8, 9, 'true'),
      edge(8, 10, 'false'),
      edge(9, 10),
    ],
  },
  startedBy: 'messages',
  sample: sampleMessage('It arrived like this.', {
    type: 'image',
    media_id: '1013859600285441',
    mime_type: 'image/jpeg',
  }),
};

const REPLIED_TO = '{{task_1_conversation_meta_sender_custom_attributes_patchbay_customer}}';
const failureOf = (id: number): string => `{{#unless task_${id}_run}}{{task_${id}_run_text}}{{/unless}}`;

/** What a person wrote leaves during the hold that their reply began. */
const reply = { recipient: REPLIED_TO, written_by: 'person' };

/** As Chatwoot reports it, without what is not used here. */
const CONVERSATION_SAMPLE = {
  id: 10,
  inbox_id: 2,
  channel: 'Channel::Api',
  can_reply: true,
  status: 'open',
  contact_inbox: {
    id: 12,
    contact_id: 14,
    inbox_id: 2,
    source_id: '405f1d30-1af3-4fa0-8ffd-11ea3f86101e',
    hmac_verified: false,
  },
  meta: {
    sender: {
      id: 14,
      name: 'Sample Customer',
      type: 'contact',
      custom_attributes: { patchbay_customer: '15550101001' },
    },
    assignee: { id: 1, name: 'Ada', type: 'user' },
  },
  unread_count: 0,
};

export const repliesFromInbox: Starter = {
  id: 'replies-from-inbox',
  name: 'Replies from your inbox',
  summary:
    'Sends your team’s replies from Chatwoot, and no other workflow writes until the conversation is resolved.',
  description:
    'Chatwoot posts what happens in the inbox to this workflow’s URL. The reply of an agent puts the customer on hold, so that no other workflow sends to them, and is sent as a text, with its files; private notes are not. A reply that cannot be sent comes back as a private note with the reason. When the conversation is resolved the customer is given back; without that, a day after the last reply. After “Use this”, select account and number in the message tasks, add Chatwoot’s access token as the secret “chatwoot” in Settings → Secrets, publish, and enter the production URL as the webhook URL of the inbox. Use it together with “Customers’ messages to your inbox”; the guide “People answer in an inbox” has every step.',
  category: 'Conversations',
  icon: 'Reply',
  graph: {
    tasks: [
      trigger('Chatwoot reports', {
        deduplicate_by: 'chatwoot',
        order_by: '{{#if conversation}}{{conversation.id}}{{else}}{{id}}{{/if}}',
      }),
      task(2, 'if_condition', 'A reply?', [1, 0], {
        match: 'all',
        conditions: [
          { left: '{{task_1_event}}', operator: 'equals', right: 'message_created' },
          { left: '{{task_1_message_type}}', operator: 'equals', right: 'outgoing' },
          { left: '{{task_1_private}}', operator: 'is_false' },
        ],
      }),
      task(
        3,
        'customer_consent',
        'Hold the workflows',
        [2, 0],
        {
          action: 'hand_over',
          recipient: REPLIED_TO,
          hold_amount: 24,
          hold_unit: 'hours',
          hold_reason: '{{task_1_sender_name}} answers in Chatwoot.',
        },
        { on_failure: 'branch' },
      ),
      task(4, 'if_condition', 'With a text?', [3, 0], {
        match: 'all',
        conditions: [{ left: '{{task_1_content}}', operator: 'is_not_empty' }],
      }),
      messaging(
        5,
        'Send the reply',
        [4, 0],
        { action: 'send_text', ...reply, message_text: '{{task_1_content}}' },
        { on_failure: 'branch' },
      ),
      task(6, 'if_condition', 'With files?', [5, 0], {
        match: 'all',
        conditions: [{ left: '{{task_1_attachments}}', operator: 'is_not_empty' }],
      }),
      task(
        7,
        'loop',
        'Each file',
        [6, 0],
        { items: '{{task_1.JSON.attachments}}' },
        { on_failure: 'branch' },
      ),
      task(8, 'switch', 'Which kind?', [7, 0], {
        value: '{{task_7_item_file_type}}',
        cases: [{ operator: 'in_list', right: 'image, audio, video', label: 'Picture or sound' }],
      }),
      messaging(9, 'Send it', [8, 0], {
        action: 'send_media',
        ...reply,
        media_type: '{{task_7_item_file_type}}',
        media_url: '{{task_7_item_data_url}}',
      }),
      messaging(10, 'Send the document', [8, 1], {
        action: 'send_media',
        ...reply,
        media_type: 'document',
        media_url: '{{task_7_item_data_url}}',
      }),
      task(11, 'http_request', 'Tell the team', [7, 1], {
        method: 'POST',
        url: 'https://app.chatwoot.com/api/v1/accounts/{{task_1_account_id}}/conversations/{{task_1_conversation_id}}/messages',
        headers: [{ name: 'api_access_token', value: '{{secret.chatwoot}}' }],
        body_type: 'json',
        body: `{"content":"The customer did not get this reply. ${[3, 5, 7].map(failureOf).join('')}","message_type":"outgoing","private":true}`,
      }),
      task(12, 'if_condition', 'Resolved?', [2, 2], {
        match: 'all',
        conditions: [
          { left: '{{task_1_event}}', operator: 'equals', right: 'conversation_status_changed' },
          { left: '{{task_1_status}}', operator: 'equals', right: 'resolved' },
        ],
      }),
      task(13, 'customer_consent', 'Give back', [3, 2], {
        action: 'give_back',
        recipient: '{{task_1_meta_sender_custom_attributes_patchbay_customer}}',
      }),
    ],
    edges: [
      edge(1, 2),
      edge(2, 3, 'true'),
      edge(2, 12, 'false'),
      edge(3, 4),
      edge(3, 11, 'failed'),
      edge(4, 5, 'true'),
      edge(4, 6, 'false'),
      edge(5, 6),
      edge(5, 11, 'failed'),
      edge(6, 7, 'true'),
      edge(7, 8, 'each'),
      edge(7, 11, 'failed'),
      edge(8, 9, 'case_1'),
      edge(8, 10, 'otherwise'),
      edge(12, 13, 'true'),
    ],
  },
  startedBy: 'webhook',
  sample: {
    event: 'message_created',
    id: 118,
    content: 'We send you a new one. Here is the label for the return.',
    message_type: 'outgoing',
    content_type: 'text',
    private: false,
    created_at: '2026-01-01T00:00:00.000Z',
    attachments: [
      { id: 5, file_type: 'file', data_url: 'https://files.example.com/return-label.pdf', file_size: 48213 },
    ],
    sender: { id: 1, name: 'Ada', email: 'ada@example.com', type: 'user' },
    inbox: { id: 2, name: 'Messages' },
    conversation: CONVERSATION_SAMPLE,
    account: { id: 3, name: 'Acme Inc' },
  },
  otherSamples: [{ ...CONVERSATION_SAMPLE, status: 'resolved', event: 'conversation_status_changed' }],
};
