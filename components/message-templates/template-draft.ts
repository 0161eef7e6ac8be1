// The form's state, and its conversion into the platform's components: pure.
import type { Problem } from '#lib/core/errors.ts';
import type {
  ComponentOf,
  ParameterFormat,
  TemplateButton,
  TemplateComponent,
} from '#lib/messaging/message-templates/schema/components.ts';
import { countPlaceholders } from '#lib/messaging/message-templates/schema/placeholders.ts';
import {
  exampleOf,
  findPart,
  isPreset,
  listNames,
  readParts,
  type StoredButton,
} from '#lib/messaging/message-templates/schema/stored-template.ts';
import type { OtpType, PresetComponent } from '#lib/messaging/message-templates/schema/validate-preset.ts';

export interface ButtonDraft {
  type: TemplateButton['type'];
  text: string;
  url: string;
  phoneNumber: string;
  /** For a URL with a placeholder: an example of the full URL. */
  example: string;
}

/** The options of an authentication template whose text the platform writes. */
export interface OtpDraft {
  type: OtpType;
  /** Whether the text warns against sharing the code. */
  isSafer: boolean;
  /** Minutes until the code expires; empty: not in the text. */
  expiresAfter: string;
  buttonText: string;
  autofillText: string;
  /** Of the app that receives the code. */
  packageName: string;
  signatureHash: string;
  acceptsTerms: boolean;
}

export const EMPTY_OTP: OtpDraft = {
  type: 'COPY_CODE',
  isSafer: true,
  expiresAfter: '10',
  buttonText: '',
  autofillText: '',
  packageName: '',
  signatureHash: '',
  acceptsTerms: false,
};

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
  /** Null: the template has its own text, in the other fields. */
  otp: OtpDraft | null;
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
  otp: null,
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
  const parts = readParts(components);
  const [header, body] = [findPart(parts, 'HEADER'), findPart(parts, 'BODY')];
  const buttons = findPart(parts, 'BUTTONS')?.buttons ?? [];
  if (isPreset(parts)) {
    const otp = {
      ...EMPTY_OTP,
      type: otpTypeOf(buttons[0]),
      isSafer: body?.add_security_recommendation ?? false,
      expiresAfter: String(findPart(parts, 'FOOTER')?.code_expiration_minutes ?? ''),
      buttonText: buttons[0]?.text ?? '',
    };
    return { ...EMPTY_DRAFT, ...basics, otp };
  }
  const format = HEADER_FORMATS.find((each) => each === header?.format) ?? 'NONE';
  const [headerName = '1'] = listNames(header?.text ?? '');
  return {
    ...EMPTY_DRAFT,
    ...basics,
    headerFormat: format,
    headerText: header?.text ?? '',
    headerExample: header && format === 'TEXT' ? (exampleOf(header, headerName) ?? '') : '',
    body: body?.text ?? '',
    bodyExamples: body ? listNames(body.text).map((name) => exampleOf(body, name) ?? '') : [],
    footer: findPart(parts, 'FOOTER')?.text ?? '',
    buttons: buttons.flatMap(({ type, text, url, phone_number: phoneNumber, example }) => {
      const known = BUTTON_TYPES.find((each) => each === type);
      return known ? [{ type: known, text, url, phoneNumber, example }] : [];
    }),
  };
}

const HEADER_FORMATS = ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT'] as const;
const BUTTON_TYPES = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER'] as const;
const FORM_PARTS: readonly string[] = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS'];

/** Parts of a stored template that the form would lose, in words; empty: it can be edited here. */
export function findUneditable(components: readonly unknown[]): string[] {
  const parts = readParts(components);
  if (isPreset(parts)) return [];
  return parts.flatMap(({ type, format, buttons }) => {
    if (!FORM_PARTS.includes(type)) return [`a part of the type ${type}`];
    if (type === 'HEADER' && !HEADER_FORMATS.some((each) => each === format))
      return [`a header of the type ${format}`];
    return buttons
      .filter((each) => !BUTTON_TYPES.some((known) => known === each.type))
      .map((each) => `a button of the type ${each.type}`);
  });
}

/** In a stored template the type is part of the button's URL. */
function otpTypeOf(button: StoredButton | undefined): OtpType {
  const said = button?.otp_type || (/otp_type=(\w+)/.exec(button?.url ?? '')?.[1] ?? '');
  return said === 'ONE_TAP' || said === 'ZERO_TAP' ? said : 'COPY_CODE';
}

/** Whether placeholders are numbers or names, as written. */
export const formatOf = ({ otp, body, headerFormat, headerText }: TemplateDraft): ParameterFormat =>
  otp === null && /\{\{\s*[a-z_]/i.test(`${body} ${headerFormat === 'TEXT' ? headerText : ''}`)
    ? 'NAMED'
    : 'POSITIONAL';

/** The placeholders of the body in their order, without braces. */
export const bodyPlaceholders = (draft: TemplateDraft): string[] =>
  formatOf(draft) === 'NAMED'
    ? listNames(draft.body)
    : Array.from({ length: countPlaceholders(draft.body) }, (_, index) => String(index + 1));

/** The components in the platform's order; empty ones are left out. */
export function toComponents(draft: TemplateDraft): (TemplateComponent | PresetComponent)[] {
  if (draft.otp) return toPreset(draft.otp);
  return [
    ...toHeader(draft),
    toBody(draft),
    ...(draft.footer.trim() ? [{ type: 'FOOTER' as const, text: draft.footer }] : []),
    ...(draft.buttons.length > 0 ? [{ type: 'BUTTONS' as const, buttons: draft.buttons.map(toButton) }] : []),
  ];
}

function toPreset(otp: OtpDraft): PresetComponent[] {
  const apps =
    otp.packageName.trim() === '' && otp.signatureHash.trim() === ''
      ? {}
      : { supported_apps: [{ package_name: otp.packageName, signature_hash: otp.signatureHash }] };
  return [
    { type: 'BODY', add_security_recommendation: otp.isSafer },
    ...(otp.expiresAfter.trim() === ''
      ? []
      : [{ type: 'FOOTER' as const, code_expiration_minutes: Number(otp.expiresAfter) }]),
    {
      type: 'BUTTONS',
      buttons: [
        {
          type: 'OTP',
          otp_type: otp.type,
          ...(otp.buttonText.trim() ? { text: otp.buttonText } : {}),
          ...(otp.type === 'ONE_TAP' && otp.autofillText.trim() ? { autofill_text: otp.autofillText } : {}),
          ...(otp.type === 'COPY_CODE' ? {} : apps),
          ...(otp.type === 'ZERO_TAP' ? { zero_tap_terms_accepted: otp.acceptsTerms } : {}),
        },
      ],
    },
  ];
}

function toHeader(draft: TemplateDraft): TemplateComponent[] {
  const { headerFormat, headerText, headerExample } = draft;
  if (headerFormat === 'NONE') return [];
  if (headerFormat !== 'TEXT') {
    return [{ type: 'HEADER', format: headerFormat, example: { header_handle: listOf(headerExample) } }];
  }
  const [name] = listNames(headerText);
  const example =
    formatOf(draft) === 'NAMED'
      ? {
          header_text_named_params: listOf(headerExample).map((each) => ({
            param_name: name ?? '',
            example: each,
          })),
        }
      : { header_text: listOf(headerExample) };
  return [{ type: 'HEADER', format: 'TEXT', text: headerText, ...(name === undefined ? {} : { example }) }];
}

function toBody(draft: TemplateDraft): TemplateComponent {
  const { body, bodyExamples } = draft;
  const placeholders = bodyPlaceholders(draft);
  const examples = placeholders.map((_, index) => bodyExamples[index] ?? '');
  if (examples.length === 0 || examples.some((example) => example.trim() === ''))
    return { type: 'BODY', text: body };
  const example =
    formatOf(draft) === 'NAMED'
      ? {
          body_text_named_params: placeholders.map((param_name, index) => ({
            param_name,
            example: examples[index] ?? '',
          })),
        }
      : { body_text: [examples] };
  return { type: 'BODY', text: body, example };
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
