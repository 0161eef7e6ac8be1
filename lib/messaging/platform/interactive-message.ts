// Messages that customers can tap: the bodies of `interactive` (docs/messaging.md, "What can be sent").
import type { JsonObject } from '#lib/core/json/value.ts';
import { type HeaderValue, type MessageExtras, toExtras, toHeader } from './message-parts.ts';

export interface MessageChoice {
  /** Returned when it is tapped. */
  id: string;
  title: string;
  description: string;
}

export interface ListSection {
  /** Empty: none, which is only allowed for a single section. */
  title: string;
  rows: readonly MessageChoice[];
}

interface Texts {
  text: string;
  /** Empty: none. */
  footer: string;
  header?: HeaderValue | undefined;
}

export type InteractiveMessage = Texts &
  MessageExtras &
  (
    | { type: 'buttons'; buttons: readonly MessageChoice[] }
    | { type: 'list'; listButton: string; sections: readonly ListSection[] }
    | { type: 'cta_url'; label: string; url: string }
    | { type: 'location_request' }
  );

/** The body of the call, without its recipient. */
export function toInteractive(message: InteractiveMessage): JsonObject {
  const { text, footer, header } = message;
  const about = {
    ...(header === undefined ? {} : { header: toHeader(header) }),
    body: { text },
    ...(footer === '' ? {} : { footer: { text: footer } }),
  };
  const { type, action } = toAction(message);
  return { type: 'interactive', interactive: { type, ...about, action }, ...toExtras(message) };
}

function toAction(message: InteractiveMessage): { type: string; action: JsonObject } {
  switch (message.type) {
    case 'buttons': {
      const buttons = message.buttons.map(({ id, title }) => ({ type: 'reply', reply: { id, title } }));
      return { type: 'button', action: { buttons } };
    }
    case 'list': {
      const sections = message.sections.map(({ title, rows }) => ({
        ...(title === '' ? {} : { title }),
        rows: rows.map(toRow),
      }));
      return { type: 'list', action: { button: message.listButton, sections } };
    }
    case 'cta_url': {
      const parameters = { display_text: message.label, url: message.url };
      return { type: 'cta_url', action: { name: 'cta_url', parameters } };
    }
    case 'location_request':
      return { type: 'location_request_message', action: { name: 'send_location' } };
  }
}

const toRow = ({ id, title, description }: MessageChoice): JsonObject => ({
  id,
  title,
  ...(description === '' ? {} : { description }),
});
