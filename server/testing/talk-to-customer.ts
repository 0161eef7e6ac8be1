// A customer of the sandbox in a conversation: waits for messages, taps buttons, writes.
import { expect, vi } from 'vitest';
import type { Calls } from './beside-sandbox.ts';

interface Button {
  type: string;
  text: string;
  payload: string;
}

interface Row {
  id: string;
  title: string;
}

interface ReceivedMessage {
  id: string;
  text: string;
  rendered: { buttons: Button[]; list: { sections: { rows: Row[] }[] } | null };
}

export interface CustomerTalk {
  /** Waits for a new message with this text. @param count number of such messages; the last one is returned */
  hears: (text: string, count?: number) => Promise<ReceivedMessage>;
  /** Taps a button or a row of the last message with this text. @param count number of such messages */
  taps: (text: string, title: string, count?: number) => Promise<void>;
  writes: (text: string) => Promise<void>;
}

/** @param known ids of earlier messages */
export function talkToCustomer(
  server: Pick<Calls, 'control'>,
  { customer, phoneId, known }: { customer: string; phoneId: string; known: ReadonlySet<string> },
): CustomerTalk {
  const answer = (content: object): Promise<unknown> =>
    server.control('POST', 'customer-messages', { customer, phone_number_id: phoneId, ...content });
  const hears: CustomerTalk['hears'] = (text, count = 1) =>
    vi.waitFor(
      async () => {
        const { data } = await server.control<{ data: ReceivedMessage[] }>(
          'GET',
          `messages?direction=out&to=${customer}`,
        );
        const found = data.filter((message) => !known.has(message.id) && message.text.includes(text));
        expect(found.length, `messages that say “${text}”`).toBeGreaterThanOrEqual(count);
        return found[count - 1] as ReceivedMessage;
      },
      { interval: 50 },
    );
  return {
    hears,
    writes: async (text) => void (await answer({ text })),
    taps: async (text, title, count) => {
      const { id: message_id, rendered } = await hears(text, count);
      const button = rendered.buttons.find((each) => each.text === title);
      const row = rendered.list?.sections.flatMap(({ rows }) => rows).find((each) => each.title === title);
      if (button?.type === 'QUICK_REPLY')
        await answer({ button: { text: title, payload: button.payload, message_id } });
      else if (button) await answer({ reply: { id: button.payload, title, message_id } });
      else if (row) await answer({ reply: { id: row.id, title, is_row: true, message_id } });
      else throw new Error(`The message “${text}” has nothing called “${title}”.`);
    },
  };
}
