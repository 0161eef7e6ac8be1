// Derives the values that a message template requires: the only code that knows its parts. Forms, checks and requests use its
// result.
import type { SlotKind, TemplateSlot } from '#lib/messaging/platform/template-slot-types.ts';
import { highestPlaceholder } from './placeholders.ts';
import { isNamedFormat, isPreset, listNames, readParts } from './stored-template.ts';
import type { StoredButton, StoredPart } from './stored-template.ts';

export interface TemplateParts {
  slots: TemplateSlot[];
  /** Labels of parts that cannot be filled in here. */
  unfillable: string[];
}

const FILE_HEADERS: Readonly<Record<string, SlotKind>> = {
  IMAGE: 'image',
  VIDEO: 'video',
  DOCUMENT: 'document',
};
/** Buttons without values. */
const FIXED_BUTTONS: readonly string[] = [
  'QUICK_REPLY',
  'PHONE_NUMBER',
  'CATALOG',
  'VOICE_CALL',
  'REQUEST_CONTACT_INFO',
];

interface Place {
  /** Prefix of the keys of its slots. */
  prefix: string;
  card?: number;
}

/** @param parameterFormat of the platform; by default inferred from the placeholders */
export function readTemplateParts({
  components,
  parameterFormat,
}: {
  components: unknown;
  parameterFormat?: string | undefined;
}): TemplateParts {
  const parts = readParts(components);
  const named = isNamedFormat(parts, parameterFormat);
  const read: TemplateParts = { slots: [], unfillable: [] };
  readComponents(parts, named, { prefix: '' }, read);
  if (isPreset(parts)) copyCode(read.slots);
  return read;
}

function readComponents(
  parts: readonly StoredPart[],
  named: boolean,
  place: Place,
  read: TemplateParts,
): void {
  for (const part of parts) {
    switch (part.type) {
      case 'HEADER':
        readHeader(part, named, place, read);
        break;
      case 'BODY':
        read.slots.push(...textSlots(part.text, named, place));
        break;
      case 'BUTTONS':
        part.buttons.forEach((button, index) => readButton(button, index, place, read));
        break;
      case 'CAROUSEL':
        part.cards.forEach(({ components }, card) =>
          readComponents(readParts(components), named, { prefix: `card_${card}_`, card }, read),
        );
        break;
      case 'LIMITED_TIME_OFFER':
        if (part.limited_time_offer.has_expiration)
          read.slots.push({ key: 'expires_at', in: 'limited_time_offer', takes: 'expires_at' });
        break;
      case 'FOOTER':
        break;
      default:
        read.unfillable.push(`a part of the type ${part.type || 'unknown'}${onCard(place)}`);
    }
  }
}

const onCard = ({ card }: Place): string => (card === undefined ? '' : ` on card ${card + 1}`);

const slotAt = (
  { prefix, card }: Place,
  key: string,
  slot: Pick<TemplateSlot, 'in' | 'takes'> & Partial<TemplateSlot>,
): TemplateSlot => ({ key: `${prefix}${key}`, ...slot, ...(card === undefined ? {} : { card }) });

/** In a text with numbers, `{{2}}` alone takes two values. */
function textSlots(text: string, named: boolean, place: Place): TemplateSlot[] {
  const placeholders = named
    ? listNames(text)
    : Array.from({ length: highestPlaceholder(text) }, (_, index) => String(index + 1));
  return placeholders.map((placeholder) =>
    slotAt(place, `body_${placeholder}`, {
      in: 'body',
      takes: 'text',
      placeholder,
      ...(named ? { isNamed: true as const } : {}),
    }),
  );
}

function readHeader({ format, text }: StoredPart, named: boolean, place: Place, read: TemplateParts): void {
  if (format === 'TEXT') {
    const [placeholder] = named ? listNames(text) : highestPlaceholder(text) > 0 ? ['1'] : [];
    if (placeholder === undefined) return;
    const name = named ? { isNamed: true as const } : {};
    read.slots.push(slotAt(place, 'header', { in: 'header', takes: 'text', placeholder, ...name }));
    return;
  }
  if (format === 'LOCATION') {
    const part = (key: string, takes: SlotKind) => slotAt(place, `header_${key}`, { in: 'header', takes });
    read.slots.push(part('latitude', 'latitude'), part('longitude', 'longitude'));
    read.slots.push(part('name', 'place_name'), part('address', 'place_address'));
    return;
  }
  const takes = Object.hasOwn(FILE_HEADERS, format) ? FILE_HEADERS[format] : undefined;
  if (takes) read.slots.push(slotAt(place, 'header', { in: 'header', takes }));
  else read.unfillable.push(`a header of the type ${format || 'unknown'}${onCard(place)}`);
}

function readButton(button: StoredButton, index: number, place: Place, read: TemplateParts): void {
  const { type, text: label, url } = button;
  const add = (key: string, takes: SlotKind, more: Partial<TemplateSlot> = {}): void =>
    void read.slots.push(
      slotAt(place, `button_${index}${key}`, { in: 'button', takes, index, label, ...more }),
    );
  if (type === 'COPY_CODE') add('', 'coupon_code');
  else if (type === 'FLOW') {
    add('_token', 'flow_token', { isOptional: true });
    add('_data', 'flow_data', { isOptional: true });
  } else if (type === 'OTP' || (type === 'URL' && url.includes('{{'))) add('', 'text', { placeholder: '1' });
  else if (type !== 'URL' && !FIXED_BUTTONS.includes(type))
    read.unfillable.push(`the button “${label}” of the type ${type || 'unknown'}${onCard(place)}`);
}

/** The code of an authentication template is sent in its text and in its button. */
function copyCode(slots: TemplateSlot[]): void {
  const code = slots.find((slot) => slot.in === 'body');
  const button = slots.find((slot) => slot.in === 'button' && slot.index === 0);
  if (code && button) button.sameAs = code.key;
}

/** The values of a template of which only these counts are known. */
export function plainSlots({
  bodyCount,
  header,
  buttonIndex,
}: {
  bodyCount: number;
  header: 'text' | 'image' | 'video' | 'document' | null;
  buttonIndex: number | null;
}): TemplateSlot[] {
  const texts = Array.from({ length: bodyCount }, (_, index): TemplateSlot => {
    const placeholder = String(index + 1);
    return { key: `body_${placeholder}`, in: 'body', takes: 'text', placeholder };
  });
  return [
    ...(header === null
      ? []
      : [{ key: 'header', in: 'header', takes: header, placeholder: '1' } satisfies TemplateSlot]),
    ...texts,
    ...(buttonIndex === null
      ? []
      : [
          {
            key: `button_${buttonIndex}`,
            in: 'button',
            takes: 'text',
            index: buttonIndex,
            placeholder: '1',
          } satisfies TemplateSlot,
        ]),
  ];
}
