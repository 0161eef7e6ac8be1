// What message templates are filled with when they are sent: one description that forms, checks and requests share. Isomorphic.

/** What a value is, which says how it is read and sent. */
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
  /** The place of its card in a carousel, from 0; left out: it is in none. */
  card?: number;
  /** Of a button its place among all buttons (of the card), from 0. */
  index?: number;
  /** Of a text what stands in its place, without braces: `1`, `first_name`. */
  placeholder?: string;
  /** It is sent under the name of its placeholder. */
  isNamed?: true;
  /** The template can be sent without it. */
  isOptional?: true;
  /** The slot whose value it has unless it is given its own: nobody is asked for it. */
  sameAs?: string;
  /** Of a button what it says. */
  label?: string;
}

/** A slot and its value, as a text. */
export interface FilledSlot {
  slot: TemplateSlot;
  value: string;
}
