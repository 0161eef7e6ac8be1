// The form's state, and its conversion into the platform's components: pure.
import type { Problem } from '#lib/core/errors.ts';
import {
  type ComponentOf,
  countPlaceholders,
  readComponents,
  type TemplateButton,
  type TemplateComponent,
} from '#lib/messaging/message-templates/schema/components.ts';

export interface ButtonDraft {
  type: TemplateButton['type'];
  text: string;
  url: string;
  phoneNumber: string;
  /** For a URL with a placeholder: an example of the full URL. */
  example: string;
}

export interface TemplateDraft {
  name: string;
  language: string;
  category: string;
  headerFormat: 'NONE' | ComponentOf<'HEADER'>['format'];
  headerText: string;
  /** A value for the header's placeholder, or the handle of a sample file. */
  headerExample: string;
  body: string;
  /** Values of the body's placeholders; their number may differ. */
  bodyExamples: string[];
  footer: string;
  buttons: ButtonDraft[];
}

export const EMPTY_DRAFT: TemplateDraft = {
  name: '',
  language: 'en_US',
  category: 'UTILITY',
  headerFormat: 'NONE',
  headerText: '',
  headerExample: '',
  body: '',
  bodyExamples: [],
  footer: '',
  buttons: [],
};

export const EMPTY_BUTTON: ButtonDraft = {
  type: 'QUICK_REPLY',
  text: '',
  url: '',
  phoneNumber: '',
  example: '',
};

/**
 * The form's state for an existing template. The platform returns no handle of a sample file: it has to be uploaded again.
 */
export function toDraft({
  components,
  ...basics
}: Pick<TemplateDraft, 'name' | 'language' | 'category'> & {
  components: readonly unknown[];
}): TemplateDraft {
  const find = readComponents(components);
  const header = find('HEADER');
  const body = find('BODY');
  return {
    ...EMPTY_DRAFT,
    ...basics,
    headerFormat: header?.format ?? 'NONE',
    headerText: header?.text ?? '',
    headerExample: header?.format === 'TEXT' ? (header.example?.header_text?.[0] ?? '') : '',
    body: body?.text ?? '',
    bodyExamples: body?.example?.body_text?.[0] ?? [],
    footer: find('FOOTER')?.text ?? '',
    buttons: (find('BUTTONS')?.buttons ?? []).map(({ type, text, url, phone_number, example }) => ({
      type,
      text,
      url: url ?? '',
      phoneNumber: phone_number ?? '',
      example: (Array.isArray(example) ? example[0] : example) ?? '',
    })),
  };
}

/** The components in the platform's order; empty ones are left out. */
export function toComponents(draft: TemplateDraft): TemplateComponent[] {
  return [
    ...toHeader(draft),
    toBody(draft),
    ...(draft.footer.trim() ? [{ type: 'FOOTER' as const, text: draft.footer }] : []),
    ...(draft.buttons.length > 0 ? [{ type: 'BUTTONS' as const, buttons: draft.buttons.map(toButton) }] : []),
  ];
}

function toHeader({ headerFormat, headerText, headerExample }: TemplateDraft): TemplateComponent[] {
  if (headerFormat === 'NONE') return [];
  if (headerFormat !== 'TEXT') {
    return [{ type: 'HEADER', format: headerFormat, example: { header_handle: listOf(headerExample) } }];
  }
  const hasExample = countPlaceholders(headerText) > 0;
  const example = { header_text: listOf(headerExample) };
  return [{ type: 'HEADER', format: 'TEXT', text: headerText, ...(hasExample ? { example } : {}) }];
}

function toBody({ body, bodyExamples }: TemplateDraft): TemplateComponent {
  const count = countPlaceholders(body);
  const examples = Array.from({ length: count }, (_, index) => bodyExamples[index] ?? '');
  const isFilled = count > 0 && examples.every((example) => example.trim() !== '');
  return { type: 'BODY', text: body, ...(isFilled ? { example: { body_text: [examples] } } : {}) };
}

const toButton = ({ type, text, url, phoneNumber, example }: ButtonDraft): TemplateButton => ({
  type,
  text,
  ...(type === 'URL' ? { url } : {}),
  ...(type === 'URL' && url.includes('{{') && example ? { example: [example] } : {}),
  ...(type === 'PHONE_NUMBER' ? { phone_number: phoneNumber } : {}),
});

const listOf = (text: string): string[] => (text.trim() ? [text] : []);

/** The problem at a field of the form. @param place such as `name`, `BODY.text`, `BUTTONS.buttons[0].url` */
export function problemAt(
  draft: TemplateDraft,
  problems: readonly Problem[],
  place: string,
): string | undefined {
  const [type, ...rest] = place.split('.');
  const index = toComponents(draft).findIndex((component) => component.type === type);
  const path = index === -1 ? place : `components[${index}].${rest.join('.')}`;
  return problems.find((problem) => problem.path === path)?.message;
}
