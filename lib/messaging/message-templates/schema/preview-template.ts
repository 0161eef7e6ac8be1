import { readComponents } from './components.ts';

/** A message template as a phone shows it. */
export interface TemplatePreview {
  header: { format: 'TEXT' | 'IMAGE' | 'VIDEO' | 'DOCUMENT'; text: string } | null;
  body: string;
  footer: string | null;
  buttons: { type: 'QUICK_REPLY' | 'URL' | 'PHONE_NUMBER'; text: string; target: string | null }[];
}

/** Values for the placeholders; those that are left out come from the template's own examples, else stay as written. */
export interface PreviewValues {
  header?: readonly (string | undefined)[];
  body?: readonly (string | undefined)[];
  /** For the placeholder of the URL of each button, by the button's place. */
  buttons?: readonly (string | undefined)[];
}

/** What a template looks like with values in it. Components that cannot be read are left out. Isomorphic. */
export function previewTemplate(components: readonly unknown[], values: PreviewValues = {}): TemplatePreview {
  const find = readComponents(components);
  const header = find('HEADER');
  const body = find('BODY');
  return {
    header: header
      ? { format: header.format, text: fill(header.text ?? '', values.header, header.example?.header_text) }
      : null,
    body: fill(body?.text ?? '', values.body, body?.example?.body_text?.[0]),
    footer: find('FOOTER')?.text ?? null,
    buttons: (find('BUTTONS')?.buttons ?? []).map(({ type, text, url, phone_number }, index) => {
      const value = values.buttons?.[index];
      const target =
        url === undefined ? (phone_number ?? null) : fill(url, value === undefined ? [] : [value], undefined);
      return { type, text, target };
    }),
  };
}

function fill(
  text: string,
  values: readonly (string | undefined)[] | undefined,
  examples: readonly string[] | undefined,
): string {
  return text.replace(/\{\{\s*(\d+)\s*\}\}/g, (placeholder, number: string) => {
    const index = Number(number) - 1;
    return values?.[index] ?? examples?.[index] ?? placeholder;
  });
}
