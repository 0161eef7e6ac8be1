import {
  exampleOf,
  findPart,
  isPreset,
  readParts,
  type StoredButton,
  type StoredPart,
} from './stored-template.ts';

/** A message template as a phone shows it. */
export interface TemplatePreview {
  header: { format: 'TEXT' | 'IMAGE' | 'VIDEO' | 'DOCUMENT' | 'LOCATION'; text: string } | null;
  /** The text of a limited-time offer. */
  offer?: string;
  body: string;
  footer: string | null;
  buttons: PreviewButton[];
  /** Of a carousel. */
  cards?: TemplatePreview[];
}

export interface PreviewButton {
  type: 'QUICK_REPLY' | 'URL' | 'PHONE_NUMBER' | 'COPY_CODE' | 'OTHER';
  text: string;
  target: string | null;
}

/** By the keys of slots (`TemplateSlot`); missing ones are replaced by the template's own examples, or stay as written. */
export type PreviewValues = Readonly<Record<string, string | undefined>>;

const HEADER_FORMATS = ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION'] as const;
const BUTTON_TYPES = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE'] as const;

/** The platform's text of authentication templates, which it translates. */
const PRESET_TEXT = '*{{1}}* is your verification code.';
const SECURITY_ADVICE = ' For your security, do not share this code.';
const BUTTON_WORDS: Readonly<Record<string, string>> = { OTP: 'Copy code', COPY_CODE: 'Copy offer code' };

/** Renders a template with values. Invalid components are left out. Isomorphic. */
export function previewTemplate(components: readonly unknown[], values: PreviewValues = {}): TemplatePreview {
  return previewParts(readParts(components), values, '');
}

function previewParts(parts: readonly StoredPart[], values: PreviewValues, prefix: string): TemplatePreview {
  const [header, body, footer] = ['HEADER', 'BODY', 'FOOTER'].map((type) => findPart(parts, type));
  const offer = findPart(parts, 'LIMITED_TIME_OFFER');
  const cards = findPart(parts, 'CAROUSEL')?.cards ?? [];
  return {
    header: header ? previewHeader(header, values[`${prefix}header`]) : null,
    ...(offer ? { offer: offer.limited_time_offer.text || 'Limited-time offer' } : {}),
    body: body ? fill(toPreset(body, parts), (placeholder) => values[`${prefix}body_${placeholder}`]) : '',
    footer: footer ? footerOf(footer) : null,
    buttons: (findPart(parts, 'BUTTONS')?.buttons ?? []).map((button, index) =>
      previewButton(button, values[`${prefix}button_${index}`]),
    ),
    ...(cards.length === 0
      ? {}
      : {
          cards: cards.map((card, index) =>
            previewParts(readParts(card.components), values, `card_${index}_`),
          ),
        }),
  };
}

function previewHeader(header: StoredPart, value: string | undefined): TemplatePreview['header'] {
  const format = HEADER_FORMATS.find((each) => each === header.format);
  return format ? { format, text: fill(header, () => value) } : null;
}

/** A template without text was not submitted yet. */
function toPreset(body: StoredPart, parts: readonly StoredPart[]): StoredPart {
  if (body.text !== '' || !isPreset(parts)) return body;
  return {
    ...body,
    text: `${PRESET_TEXT}${body.add_security_recommendation === true ? SECURITY_ADVICE : ''}`,
  };
}

const footerOf = ({ text, code_expiration_minutes: minutes }: StoredPart): string | null =>
  text || (minutes === undefined ? null : `This code expires in ${minutes} minutes.`);

function previewButton(button: StoredButton, value: string | undefined): PreviewButton {
  const { type, url, phone_number: phoneNumber } = button;
  const text = button.text || (BUTTON_WORDS[type] ?? '');
  const known = BUTTON_TYPES.find((each) => each === type);
  if (type === 'OTP' || type === 'COPY_CODE')
    return { type: 'COPY_CODE', text, target: (value ?? button.example) || null };
  const target = url === '' ? phoneNumber || null : fillUrl(url, value);
  return { type: known ?? 'OTHER', text, target };
}

const fillUrl = (url: string, value: string | undefined): string =>
  value === undefined ? url : url.replace(/\{\{\s*\w+\s*\}\}/g, () => value);

function fill(part: StoredPart, valueOf: (placeholder: string) => string | undefined): string {
  return part.text.replace(
    /\{\{\s*(\w+)\s*\}\}/g,
    (written, placeholder: string) => valueOf(placeholder) ?? exampleOf(part, placeholder) ?? written,
  );
}
