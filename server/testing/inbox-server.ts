// A server of the shape of Chatwoot's API for inboxes of the channel "API", as it documents it: the client API that writes
// contacts, conversations and messages, the application API that adds private notes, and signed webhooks. It is strict: what is
// not documented is refused.
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export const INBOX_TOKEN = 'the-access-token-of-an-agent';
export const INBOX_SECRET = 'the-secret-that-signs-webhooks';
export const INBOX_IDENTIFIER = 'pZ3kJ8mQ';
const ACCOUNT = { id: 3, name: 'Acme Inc' };
const INBOX = { id: 2, name: 'Messages' };
const AGENT = { id: 1, name: 'Ada', email: 'ada@example.com', type: 'user' };

type Fields = Record<string, unknown>;

interface Contact {
  id: number;
  sourceId: string;
  name: string;
  customAttributes: Fields;
}

interface InboxMessage {
  id: number;
  content: string | null;
  type: 'incoming' | 'outgoing';
  private: boolean;
}

interface Conversation {
  id: number;
  contact: Contact;
  status: 'open' | 'resolved';
  messages: InboxMessage[];
}

export interface Attachment {
  id: number;
  file_type: string;
  data_url: string;
}

class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** How the server fails before it does anything; undefined: it works. */
type Failure = 502 | 503 | 'hangs up' | undefined;

export interface InboxServer {
  url: string;
  /** Where webhooks go: the callback URL of the inbox. */
  webhookUrl: string;
  contacts: Contact[];
  conversations: Conversation[];
  /** Statuses of the responses to webhooks, by event. */
  answers: { event: string; status: number }[];
  /** Requests that were refused because they were wrong. */
  refusals: string[];
  /** Failures of the next requests, one each; the last one stays until it is cleared. */
  failures: Failure[];
  /** Requests that failed by `failures`. */
  failed: number;
  /** An agent answers, and the webhook arrives this often. */
  reply(conversation: Conversation, content: string | null, more?: Reply): Promise<void>;
  /** An agent resolves the conversation. */
  resolve(conversation: Conversation): Promise<void>;
  close(): Promise<void>;
}

interface Reply {
  isPrivate?: boolean;
  copies?: number;
  attachments?: Attachment[];
}

/** Starts it on a free port. */
export async function startInboxServer(): Promise<InboxServer> {
  let ids = 100;
  const newId = (): number => (ids += 1);

  const server = createServer((request, response) => {
    const failure = inbox.failures.length > 1 ? inbox.failures.shift() : inbox.failures[0];
    if (failure !== undefined) {
      inbox.failed += 1;
      if (failure === 'hangs up') request.socket.destroy();
      else response.writeHead(failure).end();
      return;
    }
    void answer(request)
      .catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        inbox.refusals.push(`${request.method} ${request.url}: ${error.message}`);
        return { status: error.status, body: { error: error.message } };
      })
      .then(({ status, body }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  async function answer(request: IncomingMessage): Promise<{ status: number; body: object }> {
    const { pathname } = new URL(request.url ?? '', 'http://inbox');
    if (request.method !== 'POST') throw new Refusal(404, 'There is no such operation.');
    const fields = await readFields(request);
    const client =
      /^\/public\/api\/v1\/inboxes\/([^/]+)\/contacts(?:\/([^/]+)\/conversations(?:\/([^/]+)\/messages)?)?$/.exec(
        pathname,
      );
    if (client) {
      const [, identifier, sourceId, conversationId] = client;
      if (identifier !== INBOX_IDENTIFIER) throw new Refusal(404, 'unknown inbox');
      if (sourceId === undefined) return { status: 200, body: createContact(fields) };
      const contact = inbox.contacts.find((each) => each.sourceId === sourceId);
      if (!contact) throw new Refusal(404, 'unknown contact');
      if (conversationId === undefined) return { status: 200, body: createConversation(contact, fields) };
      const conversation = inbox.conversations.find(
        (each) => String(each.id) === conversationId && each.contact === contact,
      );
      if (!conversation) throw new Refusal(404, 'unknown conversation');
      return { status: 200, body: receive(conversation, fields) };
    }
    const application = /^\/api\/v1\/accounts\/(\d+)\/conversations\/(\d+)\/messages$/.exec(pathname);
    if (!application) throw new Refusal(404, 'There is no such operation.');
    if (request.headers['api_access_token'] !== INBOX_TOKEN) throw new Refusal(401, 'Invalid Access Token');
    const conversation = inbox.conversations.find((each) => String(each.id) === application[2]);
    if (application[1] !== String(ACCOUNT.id) || !conversation)
      throw new Refusal(404, 'unknown conversation');
    return { status: 200, body: addMessage(conversation, fields) };
  }

  function createContact(fields: Fields): object {
    allow(fields, {
      identifier: 'string',
      identifier_hash: 'string',
      email: 'string',
      name: 'string',
      phone_number: 'string',
      avatar_url: 'string',
      custom_attributes: 'object',
    });
    const contact: Contact = {
      id: newId(),
      sourceId: crypto.randomUUID(),
      name: fields['name'] as string,
      customAttributes: (fields['custom_attributes'] ?? {}) as Fields,
    };
    inbox.contacts.push(contact);
    const { id, sourceId, name } = contact;
    return { id, source_id: sourceId, name, email: null, pubsub_token: crypto.randomUUID() };
  }

  function createConversation(contact: Contact, fields: Fields): object {
    allow(fields, { custom_attributes: 'object' });
    const conversation: Conversation = { id: newId(), contact, status: 'open', messages: [] };
    inbox.conversations.push(conversation);
    return { id: conversation.id, inbox_id: INBOX.id, messages: [], contact: { id: contact.id } };
  }

  /** A message of the contact opens a resolved conversation again. */
  function receive(conversation: Conversation, fields: Fields): object {
    allow(fields, { content: 'string', echo_id: 'string' });
    const content = fields['content'] as string;
    if (content === undefined || content.trim() === '') throw new Refusal(422, 'content is missing');
    const message: InboxMessage = { id: newId(), content, type: 'incoming', private: false };
    conversation.messages.push(message);
    if (conversation.status === 'resolved') {
      conversation.status = 'open';
      void report(statusChanged(conversation));
    }
    void report(created(conversation, message));
    return { id: message.id, content, message_type: 0, conversation_id: conversation.id, attachments: [] };
  }

  function addMessage(conversation: Conversation, fields: Fields): object {
    allow(fields, { content: 'string', message_type: 'string', private: 'boolean', content_type: 'string' });
    if (fields['message_type'] !== 'outgoing') throw new Refusal(422, 'an agent writes outgoing messages');
    const content = fields['content'] as string;
    const message: InboxMessage = {
      id: newId(),
      content,
      type: 'outgoing',
      private: fields['private'] === true,
    };
    conversation.messages.push(message);
    void report(created(conversation, message));
    return { id: message.id, content, message_type: 1, private: message.private };
  }

  const describe = ({ id, contact, status }: Conversation): object => ({
    additional_attributes: {},
    can_reply: true,
    channel: 'Channel::Api',
    id,
    inbox_id: INBOX.id,
    contact_inbox: { id, contact_id: contact.id, inbox_id: INBOX.id, source_id: contact.sourceId },
    messages: [],
    meta: {
      sender: {
        additional_attributes: {},
        custom_attributes: contact.customAttributes,
        email: null,
        id: contact.id,
        identifier: null,
        name: contact.name,
        phone_number: null,
        type: 'contact',
      },
      assignee: AGENT,
    },
    status,
    unread_count: newId() % 7,
    timestamp: Math.floor(Date.now() / 1000),
  });
  const statusChanged = (conversation: Conversation): Fields => ({
    ...describe(conversation),
    event: 'conversation_status_changed',
  });
  const created = (
    conversation: Conversation,
    message: InboxMessage,
    attachments: Attachment[] = [],
  ): Fields => ({
    id: message.id,
    content: message.content,
    created_at: new Date().toISOString(),
    message_type: message.type,
    content_type: 'text',
    private: message.private,
    content_attributes: {},
    source_id: null,
    sender: message.type === 'outgoing' ? AGENT : { id: conversation.contact.id, type: 'contact' },
    inbox: INBOX,
    conversation: describe(conversation),
    account: ACCOUNT,
    ...(attachments.length === 0 ? {} : { attachments }),
    event: 'message_created',
  });

  async function report(payload: Fields): Promise<void> {
    if (inbox.webhookUrl === '') return;
    const body = JSON.stringify(payload);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', INBOX_SECRET).update(`${timestamp}.${body}`).digest('hex');
    const { status } = await fetch(inbox.webhookUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-chatwoot-timestamp': timestamp,
        'x-chatwoot-signature': `sha256=${signature}`,
        'x-chatwoot-delivery': crypto.randomUUID(),
      },
      body,
    });
    inbox.answers.push({ event: String(payload['event']), status });
  }

  const inbox: InboxServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    webhookUrl: '',
    contacts: [],
    conversations: [],
    answers: [],
    refusals: [],
    failures: [],
    failed: 0,
    async reply(conversation, content, { isPrivate = false, copies = 1, attachments } = {}) {
      const message: InboxMessage = { id: newId(), content, type: 'outgoing', private: isPrivate };
      conversation.messages.push(message);
      // Each copy counts other unread messages, as later deliveries do.
      for (let copy = 0; copy < copies; copy += 1) await report(created(conversation, message, attachments));
    },
    async resolve(conversation) {
      conversation.status = 'resolved';
      await report(statusChanged(conversation));
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return inbox;
}

async function readFields(request: IncomingMessage): Promise<Fields> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const isJson = request.headers['content-type']?.startsWith('application/json') === true;
  if (!isJson) throw new Refusal(415, 'The body is not JSON.');
  return JSON.parse(text) as Fields;
}

/** @throws Refusal for a field that is not documented, or of another type */
function allow(fields: Fields, types: Record<string, 'string' | 'object' | 'boolean'>): void {
  for (const [name, value] of Object.entries(fields)) {
    if (types[name] === undefined) throw new Refusal(422, `unknown field ${name}`);
    if (typeof value !== types[name]) throw new Refusal(422, `${name} is no ${types[name]}`);
  }
}
