// Message templates as the platform stores them, parsed tolerantly: an unknown part or field hides no other.
import * as z from 'zod';

const upper = z
  .string()
  .transform((text) => text.toUpperCase())
  .catch('');
const text = z.string().catch('');
const list = <Element extends z.ZodType>(element: Element) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((elements): z.output<Element>[] =>
      elements.flatMap((each) => {
        const { success, data } = element.safeParse(each);
        return success ? [data] : [];
      }),
    );
const named = list(z.object({ param_name: z.string(), example: z.string() }));

const example = z
  .object({
    header_text: list(z.string()),
    body_text: list(list(z.string())),
    header_text_named_params: named,
    body_text_named_params: named,
  })
  .catch({ header_text: [], body_text: [], header_text_named_params: [], body_text_named_params: [] });

const button = z.object({
  type: upper,
  text,
  url: text,
  phone_number: text,
  otp_type: upper,
  /** For a URL the full example, for a coupon its code. */
  example: z.union([z.string(), z.array(z.string()).transform(([first = '']) => first)]).catch(''),
});

export type StoredButton = z.output<typeof button>;

const part = z.object({
  type: upper,
  format: upper,
  text,
  example,
  buttons: list(button),
  /** Of a carousel. */
  cards: list(z.object({ components: z.unknown() })),
  limited_time_offer: z
    .object({ text, has_expiration: z.boolean().catch(false) })
    .catch({ text: '', has_expiration: false }),
  /** Of an authentication template; undefined: it has its own text. */
  add_security_recommendation: z.boolean().optional().catch(undefined),
  code_expiration_minutes: z.number().optional().catch(undefined),
});

/** One component. */
export type StoredPart = z.output<typeof part>;

/** The components in their order; other elements are left out. */
export const readParts = (components: unknown): StoredPart[] => list(part).parse(components);

/** The first component of a type. */
export const findPart = (parts: readonly StoredPart[], type: string): StoredPart | undefined =>
  parts.find((each) => each.type === type);

/** Whether its placeholders have names. @param format of the platform; undefined: unknown */
export const isNamedFormat = (parts: readonly StoredPart[], format: string | undefined): boolean =>
  format === undefined || format === ''
    ? parts.some((each) => /\{\{\s*[a-z_]\w*\s*\}\}/.test(each.text))
    : format.toUpperCase() === 'NAMED';

/** Different placeholders of a text, as written between the braces, in order. */
export const listNames = (text: string): string[] => [
  ...new Set([...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map((match) => match[1] ?? '')),
];

/** The template's own example of a placeholder in a header or body. */
export function exampleOf({ type, example }: StoredPart, placeholder: string): string | undefined {
  const isHeader = type === 'HEADER';
  const named = isHeader ? example.header_text_named_params : example.body_text_named_params;
  const numbered = isHeader ? example.header_text : example.body_text[0];
  const { example: byName } = named.find(({ param_name: name }) => name === placeholder) ?? {};
  return byName ?? numbered?.[Number(placeholder) - 1];
}

/**
 * Whether the platform wrote its text: then its button, which is stored as a URL, contains the code, too. The spec's platform
 * also has authentication templates with their own text.
 */
export function isPreset(parts: readonly StoredPart[]): boolean {
  const [first] = findPart(parts, 'BUTTONS')?.buttons ?? [];
  return (
    first?.type === 'OTP' ||
    (first?.type === 'URL' && /\/otp\/|[?&]otp_type=/.test(first.url)) ||
    findPart(parts, 'BODY')?.add_security_recommendation !== undefined
  );
}
