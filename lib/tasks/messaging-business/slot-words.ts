import type { SlotKind, TemplateSlot } from '#lib/messaging/platform/template-slot-types.ts';

/** What is to be entered, to follow “Enter”: `the coupon code for “Copy offer code”`. Isomorphic. */
export function slotWords(slot: TemplateSlot): string {
  return `${WORDS[slot.takes](slot)}${slot.card === undefined ? '' : ` on card ${slot.card + 1}`}`;
}

const quoted = ({ label }: TemplateSlot): string => (label ? ` of “${label}”` : '');

const textWords = (slot: TemplateSlot): string => {
  const { placeholder = '1' } = slot;
  if (slot.in === 'button')
    return `the value for {{${placeholder}}} in the ${slot.label ? `URL of “${slot.label}”` : 'button URL'}`;
  return slot.in === 'header'
    ? `the text for {{${placeholder}}} in the header`
    : `a value for {{${placeholder}}}`;
};

const WORDS: Readonly<Record<SlotKind, (slot: TemplateSlot) => string>> = {
  text: textWords,
  image: () => 'the image for the header',
  video: () => 'the video for the header',
  document: () => 'the document for the header',
  latitude: () => 'the latitude of the location',
  longitude: () => 'the longitude of the location',
  place_name: () => 'the name of the location',
  place_address: () => 'the address of the location',
  coupon_code: (slot) => `the coupon code${quoted(slot)}`,
  flow_token: (slot) => `the flow token${quoted(slot)}`,
  flow_data: (slot) => `the flow data${quoted(slot)}`,
  expires_at: () => 'when the offer ends',
};
