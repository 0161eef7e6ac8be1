// The platform's rules for each action: checked in the draft, and before the call (docs/messaging.md, "What can be sent").
import { MESSAGE_LIMITS, MessageCheck, type MessageProblem } from '#lib/messaging/sending/message-limits.ts';
import { isWebAddress } from '#lib/messaging/message-templates/schema/read-slot-value.ts';
import { readHeaderFile } from '../rules.ts';
import type { Action } from './actions.ts';
import { groupRows, type MoreValues, splitList } from './values.ts';

type Check = (check: MessageCheck, values: MoreValues) => void;

const WEB_ADDRESS = 'Enter a full URL that starts with https:// or http://.';

/** All problems for which the platform would refuse the message. @param isKnown whether a text is final */
export function findMessageProblems(
  action: Action,
  values: MoreValues,
  isKnown: (text: string) => boolean,
): MessageProblem[] {
  const check = new MessageCheck(isKnown);
  CHECKS[action](check, values);
  return check.problems;
}

const CHECKS: Readonly<Record<Action, Check>> = {
  send_buttons: (check, values) => {
    interactive(check, values, 'buttons');
    check.buttons('buttons', values.buttons);
  },
  send_list: (check, values) => {
    interactive(check, values, 'list');
    check.rows('rows', values.rows);
    checkSections(check, values);
    check.required(['list_button'], values.list_button, 'Enter the label of the button that opens the list.');
    check.most(['list_button'], 'The label', values.list_button, MESSAGE_LIMITS.listButton);
  },
  send_cta_url: (check, values) => {
    interactive(check, values, 'cta_url');
    check.required(['button_text'], values.button_text, 'Enter the label of the button.');
    check.most(['button_text'], 'The label', values.button_text, MESSAGE_LIMITS.urlLabel);
    check.required(['button_url'], values.button_url, WEB_ADDRESS);
    check.readable(['button_url'], values.button_url, webAddress);
  },
  send_reply: (check, { message_text: text, reply_to: quoted }) => {
    check.required(['message_text'], text, 'Enter a text.');
    check.most(['message_text'], 'The text', text, MESSAGE_LIMITS.text);
    check.required(['reply_to'], quoted, 'Enter the ID of the message to reply to.');
  },
  request_location: (check, values) => body(check, values, 'location_request'),
  send_location: (check, { latitude, longitude }) => {
    coordinate(check, 'latitude', latitude, 90);
    coordinate(check, 'longitude', longitude, 180);
  },
  send_contacts: checkContacts,
  send_sticker: checkSticker,
  send_reaction: (check, { message_id: messageId, emoji }) => {
    check.required(['message_id'], messageId, 'Enter the ID of the customer’s message.');
    check.readable(['emoji'], emoji, (text) => (isEmoji(text) ? undefined : 'Enter a single emoji.'));
  },
  show_typing: (check, { message_id: messageId }) =>
    check.required(['message_id'], messageId, 'Enter the ID of the customer’s message.'),
  get_media: (check, { media_id: mediaId }) =>
    check.required(['media_id'], mediaId, 'Enter the media ID of the customer’s message.'),
};

function body(
  check: MessageCheck,
  { message_text: text }: MoreValues,
  kind: keyof typeof MESSAGE_LIMITS.body,
): void {
  check.required(['message_text'], text, 'Enter a text.');
  check.most(['message_text'], 'The text', text, MESSAGE_LIMITS.body[kind]);
}

function interactive(
  check: MessageCheck,
  values: MoreValues,
  kind: Exclude<keyof typeof MESSAGE_LIMITS.body, 'location_request'>,
): void {
  body(check, values, kind);
  check.most(['footer'], 'The footer', values.footer, MESSAGE_LIMITS.footer);
  const { header_type: type, header_value: value } = values;
  if (type === 'none') return;
  if (type === 'text') {
    check.required(['header_value'], value, 'Enter the text of the header.');
    check.most(['header_value'], 'The header', value, MESSAGE_LIMITS.headerText);
  } else if (kind === 'list') check.report(['header_type'], 'The header of a list must be a text.');
  else {
    check.required(['header_value'], value, `Enter the public URL or the media ID of the ${type}.`);
    check.readable(['header_value'], value, (text) => {
      const { problem } = readHeaderFile(type, text);
      return problem && `Enter a public URL that starts with https://, or a media ID.`;
    });
  }
}

function checkSections(check: MessageCheck, { rows }: MoreValues): void {
  const most = MESSAGE_LIMITS.sectionTitle;
  const sections = groupRows(rows);
  rows.forEach(({ section }, place) => {
    check.most(['rows', place, 'section'], 'The section', section, most);
    if (sections.length > 1 && section === '')
      check.report(['rows', place, 'section'], 'Enter a section, as other rows have one.');
  });
}

function checkContacts(check: MessageCheck, { contacts }: MoreValues): void {
  if (contacts.length === 0) check.report(['contacts'], 'Add a contact.', true);
  contacts.forEach(({ name, phones, emails }, place) => {
    check.required(['contacts', place, 'name'], name, 'Enter a name.');
    check.readable(['contacts', place, 'phones'], phones, (text) => {
      const wrong = splitList(text).find((phone) => !/^\+?[\d\s().-]{3,30}$/.test(phone));
      return wrong === undefined ? undefined : `"${wrong}" is not a phone number.`;
    });
    check.readable(['contacts', place, 'emails'], emails, (text) => {
      const wrong = splitList(text).find((email) => !/^[^\s@]+@[^\s@]+$/.test(email));
      return wrong === undefined ? undefined : `"${wrong}" is not an email address.`;
    });
  });
}

function checkSticker(check: MessageCheck, { media_url: url, media_id: id }: MoreValues): void {
  if (url === '' && id === '')
    check.report(['media_url'], 'Enter a media URL, or the media ID of an uploaded WebP file.', true);
  if (url !== '' && id !== '')
    check.report(['media_id'], 'Enter either a media URL or a media ID, not both.');
  check.readable(['media_url'], url, webAddress);
}

function coordinate(check: MessageCheck, field: 'latitude' | 'longitude', text: string, most: number): void {
  check.required([field], text, `Enter the ${field}.`);
  check.readable([field], text, (value) =>
    /^-?\d+(\.\d+)?$/.test(value) && Math.abs(Number(value)) <= most
      ? undefined
      : `The ${field} must be a number from -${most} to ${most}.`,
  );
}

const webAddress = (text: string): string | undefined => (isWebAddress(text) ? undefined : WEB_ADDRESS);

const CHARACTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });
const PICTURE = /\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|^[\d#*]\ufe0f?\u20e3/u;

/** One visible character: skin tones and families count as one. */
const isEmoji = (text: string): boolean => [...CHARACTERS.segment(text)].length === 1 && PICTURE.test(text);
