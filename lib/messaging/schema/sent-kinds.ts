/** What a message is: the type of what was sent. `question`: of a task that asked, before questions were buttons, lists and texts. */
export type SentKind =
  | 'template'
  | 'text'
  | 'media'
  | 'question'
  | 'buttons'
  | 'list'
  | 'cta_url'
  | 'location_request'
  | 'location'
  | 'contacts'
  | 'sticker'
  | 'reaction';
