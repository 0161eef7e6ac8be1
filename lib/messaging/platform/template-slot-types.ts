// The values of message templates: one description shared by forms, checks and requests. Isomorphic.

/** The kind of a value, which decides how it is parsed and sent. */
export type SlotKind =
  | 'text'
  | 'image'
  | 'video'
  | 'document'
  | 'latitude'
  | 'longitude'
  | 'place_name'
  | 'place_address'
  | 'coupon_code'
  | 'flow_token'
  | 'flow_data'
  | 'expires_at';

/** One value of a message template. */
export interface TemplateSlot {
  /** Unique in the template: `header`, `body_1`, `body_first_name`, `button_0`, `button_0_token`, `card_0_header`, `expires_at`. */
  key: string;
  /** The component that it is part of. */
  in: 'header' | 'body' | 'button' | 'limited_time_offer';
  takes: SlotKind;
  /** The index of its card in a carousel, from 0; left out: not in a card. */
  card?: number;
  /** For a button: its index among all buttons (of the card), from 0. */
  index?: number;
  /** For a text: its placeholder without braces: `1`, `first_name`. */
  placeholder?: string;
  /** It is sent under the name of its placeholder. */
  isNamed?: true;
  /** The template can be sent without it. */
  isOptional?: true;
  /** The slot whose value is its default: forms do not ask for it. */
  sameAs?: string;
  /** For a button: its label. */
  label?: string;
}

/** A slot and its value, as a text. */
export interface FilledSlot {
  slot: TemplateSlot;
  value: string;
}
