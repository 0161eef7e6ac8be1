import { settingWords } from '#lib/tasks/setting-words.ts';
import { isSend } from './actions.ts';

/** What an action works on, for its card: `order_confirmation → {{phone}}`; empty while nothing is set. */
export function describeAction(settings: Readonly<Record<string, unknown>>): string {
  const what = subjectOf(settings);
  const recipient = isSend(settings) ? settingWords(settings['recipient']) : '';
  return recipient === '' ? what : `${what === '' ? '' : `${what} `}→ ${recipient}`;
}

function subjectOf({
  action = 'send_template',
  template_name,
  message_text,
  media_type,
  filename,
  media_url,
  message_id,
  status_filter,
}: Readonly<Record<string, unknown>>): string {
  switch (action) {
    case 'send_text':
      return settingWords(message_text) && `“${settingWords(message_text)}”`;
    case 'send_media':
      return settingWords(filename) || settingWords(media_url) || settingWords(media_type);
    case 'get_message_status':
    case 'mark_as_read':
      return settingWords(message_id);
    case 'get_templates':
      return settingWords(status_filter);
    default:
      return settingWords(template_name);
  }
}
