import type { OutgoingMessage } from '#lib/messaging/platform/messages.ts';
import type { HeaderValue, MessageExtras } from '#lib/messaging/platform/message-parts.ts';
import type { MessageChoice } from '#lib/messaging/platform/interactive-message.ts';
import { accept } from '../fields.ts';
import { readHeaderFile } from '../rules.ts';
import type { SendAction } from './actions.ts';
import { groupRows } from './sections.ts';
import { type ButtonValue, type MoreValues, type RowValue, splitList } from './values.ts';

/** The message of an action whose values have no problems. */
export function toMessage(action: SendAction, values: MoreValues): OutgoingMessage {
  const quoted = values.reply_to.trim();
  const extras: MessageExtras = quoted === '' ? {} : { replyTo: quoted };
  const texts = { text: values.message_text, footer: values.footer.trim(), ...extras };
  switch (action) {
    case 'send_buttons':
      return { type: 'buttons', ...texts, header: readHeader(values), buttons: values.buttons.map(toChoice) };
    case 'send_list': {
      const sections = groupRows(values.rows).map(({ title, rows }) => ({ title, rows: rows.map(toChoice) }));
      const listButton = values.list_button.trim();
      return { type: 'list', ...texts, header: readHeader(values), listButton, sections };
    }
    case 'send_cta_url': {
      const { button_text: label, button_url: url } = values;
      return { type: 'cta_url', ...texts, header: readHeader(values), label: label.trim(), url: url.trim() };
    }
    case 'send_reply':
      return { type: 'text', body: values.message_text, previewUrl: false, ...extras };
    case 'request_location':
      return { type: 'location_request', ...texts, footer: '' };
    case 'send_location': {
      const [latitude, longitude] = [Number(values.latitude), Number(values.longitude)];
      const [name, address] = [values.location_name.trim(), values.location_address.trim()];
      return { type: 'location', latitude, longitude, name, address, ...extras };
    }
    case 'send_contacts': {
      const contacts = values.contacts.map(({ name, phones, emails, organization }) => ({
        name,
        phones: splitList(phones),
        emails: splitList(emails),
        organization,
      }));
      return { type: 'contacts', contacts, ...extras };
    }
    case 'send_sticker': {
      const [link, id] = [values.media_url.trim(), values.media_id.trim()];
      return { type: 'sticker', source: link === '' ? { id } : { link }, ...extras };
    }
    case 'send_reaction':
      return { type: 'reaction', messageId: values.message_id.trim(), emoji: values.emoji.trim() };
  }
}

const toChoice = ({ title, id, ...rest }: ButtonValue | RowValue): MessageChoice => ({
  id: id || title,
  title,
  description: 'description' in rest ? rest.description : '',
});

function readHeader({ header_type: type, header_value: value }: MoreValues): HeaderValue | undefined {
  if (type === 'text') return { type, text: value.trim() };
  if (type !== 'image' && type !== 'video' && type !== 'document') return undefined;
  return { type, source: accept(readHeaderFile(type, value.trim())) };
}
