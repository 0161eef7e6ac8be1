import { settingRows, settingWords } from '#lib/tasks/setting-words.ts';

/** What an action works on, for its card: `“Which size?” → {{phone}}`; empty while nothing is set. */
export function describeMore(settings: Readonly<Record<string, unknown>>): string {
  const { action = 'send_buttons', recipient } = settings;
  const what = subjectOf(settings);
  const whom = action === 'show_typing' || action === 'get_media' ? '' : settingWords(recipient);
  return whom === '' ? what : `${what === '' ? '' : `${what} `}→ ${whom}`;
}

function subjectOf(settings: Readonly<Record<string, unknown>>): string {
  const words = (field: string): string => settingWords(settings[field]);
  switch (settings['action'] ?? 'send_buttons') {
    case 'send_location':
      return words('location_name') || [words('latitude'), words('longitude')].filter(Boolean).join(', ');
    case 'send_contacts':
      return settingRows(settings['contacts'])
        .map(({ name }) => settingWords(name))
        .filter(Boolean)
        .join(', ');
    case 'send_sticker':
      return words('media_url') || words('media_id');
    case 'send_reaction':
      return words('emoji');
    case 'show_typing':
      return words('message_id');
    case 'get_media':
      return words('media_id');
    default:
      return words('message_text') && `“${words('message_text')}”`;
  }
}
