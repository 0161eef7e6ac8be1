// Live validation of a message template, before it is sent to the platform (spec, create_template). Isomorphic.
import type { Problem } from '#lib/core/errors.ts';
import {
  CATEGORIES,
  type ComponentOf,
  componentSchema,
  type ParameterFormat,
  TEMPLATE_LIMITS,
  type TemplateButton,
  type TemplateComponent,
} from './components.ts';
import { checkNames, checkNumbering, checkPosition, countPlaceholders, type Report } from './placeholders.ts';
import { explainIssue, isPresetInput, validatePreset } from './validate-preset.ts';

export interface TemplateInput {
  name: string;
  language: string;
  category: string;
  components: unknown;
  /** POSITIONAL or NAMED; left out: POSITIONAL. */
  parameter_format?: ParameterFormat | undefined;
}

/** All problems of a message template, by path (`components[1].text`), each with its fix. */
export function validateTemplate(input: TemplateInput): Problem[] {
  const problems: Problem[] = [];
  const report: Report = (path, message) => problems.push({ path, message });
  const nameProblem = findNameProblem(input.name);
  if (nameProblem !== undefined) report('name', nameProblem);
  if (!isLanguageCode(input.language)) report('language', 'Enter a language code such as en_US or de.');
  if (!(CATEGORIES as readonly string[]).includes(input.category))
    report('category', `Select ${CATEGORIES.join(', ')}.`);
  if (isPresetInput(input.components) && input.category !== 'AUTHENTICATION')
    report(
      'category',
      'Only an AUTHENTICATION template has a button of the type OTP. Select AUTHENTICATION.',
    );
  return [...problems, ...validateComponents(input.components, input.parameter_format)];
}

/** Spec, Endpoints, rule 3: lowercase letters and underscores only. Undefined when the name is valid. */
export function findNameProblem(name: string): string | undefined {
  if (!/^[a-z_]+$/.test(name))
    return 'The name can have lowercase letters and underscores only, such as order_update.';
  if (name.length > TEMPLATE_LIMITS.name)
    return `The name can have at most ${TEMPLATE_LIMITS.name} characters.`;
  return undefined;
}

export const isLanguageCode = (code: string): boolean => /^[a-z]{2,3}(_[A-Za-z]{2,4})?$/.test(code);

/** Problems of components, which may be any JSON; paths start with `components`. */
export function validateComponents(components: unknown, format: ParameterFormat = 'POSITIONAL'): Problem[] {
  if (!Array.isArray(components))
    return [{ path: 'components', message: 'Enter a JSON array of components.' }];
  if (isPresetInput(components)) return validatePreset(components);
  const problems: Problem[] = [];
  const parsed: (TemplateComponent | undefined)[] = components.map((component: unknown, index) => {
    const result = componentSchema.safeParse(component);
    if (result.success) return result.data;
    problems.push(...result.error.issues.map((issue) => explainIssue(issue, index)));
    return undefined;
  });
  const report: Report = (path, message) => problems.push({ path, message });
  countTypes(components, report);
  parsed.forEach(
    (component, index) => component && checkComponent(component, format, `components[${index}]`, report),
  );
  return problems;
}

function countTypes(components: readonly unknown[], report: Report): void {
  const types = components.map((component) => (component as { type?: unknown } | null)?.type);
  for (const type of ['HEADER', 'BODY', 'FOOTER', 'BUTTONS']) {
    const count = types.filter((each) => each === type).length;
    if (count > 1) report('components', `Only one ${type} is allowed; there are ${count}.`);
    if (type === 'BODY' && count === 0) report('components', 'A BODY is required.');
  }
}

function checkComponent(
  component: TemplateComponent,
  format: ParameterFormat,
  path: string,
  report: Report,
): void {
  if (component.type === 'HEADER') checkHeader(component, format, path, report);
  else if (component.type === 'BODY') checkBody(component, format, path, report);
  else if (component.type === 'FOOTER') checkFooter(component, path, report);
  else checkButtons(component.buttons, path, report);
}

function checkHeader(
  { format: kind, text, example }: ComponentOf<'HEADER'>,
  format: ParameterFormat,
  path: string,
  report: Report,
): void {
  if (kind !== 'TEXT') {
    if (text !== undefined) report(`${path}.text`, `A ${kind} header cannot have text: remove it.`);
    if (!example?.header_handle?.[0])
      report(`${path}.example`, 'Add a sample file in example.header_handle.');
    return;
  }
  checkText(text, TEMPLATE_LIMITS.header, `${path}.text`, report);
  if (text === undefined) return;
  if (format === 'NAMED')
    return checkNames(text, example?.header_text_named_params, { path, part: 'header', most: 1 }, report);
  checkNumbering(text, `${path}.text`, report);
  const count = countPlaceholders(text);
  if (count > 1) report(`${path}.text`, 'A header can have one placeholder at most.');
  if (count === 1 && !example?.header_text?.[0])
    report(`${path}.example`, 'Add a sample value for the placeholder in example.header_text.');
}

function checkBody(
  { text, example }: ComponentOf<'BODY'>,
  format: ParameterFormat,
  path: string,
  report: Report,
): void {
  checkText(text, TEMPLATE_LIMITS.body, `${path}.text`, report);
  if (format === 'POSITIONAL') checkNumbering(text, `${path}.text`, report);
  checkPosition(text, `${path}.text`, report);
  if (format === 'NAMED')
    return checkNames(text, example?.body_text_named_params, { path, part: 'body' }, report);
  const expected = countPlaceholders(text);
  const examples = example?.body_text?.[0] ?? [];
  if (examples.length !== expected) {
    const needs = expected === 1 ? 'one example' : `${expected} examples`;
    report(
      `${path}.example`,
      `Add ${needs} to example.body_text, one for each placeholder; there are ${examples.length}.`,
    );
  }
}

function checkFooter({ text }: ComponentOf<'FOOTER'>, path: string, report: Report): void {
  checkText(text, TEMPLATE_LIMITS.footer, `${path}.text`, report);
  if (text.includes('{{')) report(`${path}.text`, 'A footer cannot have placeholders: remove them.');
}

function checkButtons(buttons: readonly TemplateButton[], path: string, report: Report): void {
  if (buttons.length === 0) report(`${path}.buttons`, 'Add button, or remove BUTTONS.');
  if (buttons.length > TEMPLATE_LIMITS.buttons) {
    report(
      `${path}.buttons`,
      `At most ${TEMPLATE_LIMITS.buttons} buttons are allowed; there are ${buttons.length}.`,
    );
  }
  buttons.forEach((button, index) => checkButton(button, `${path}.buttons[${index}]`, report));
}

function checkButton(
  { type, text, url, phone_number, example }: TemplateButton,
  path: string,
  report: Report,
): void {
  checkText(text, TEMPLATE_LIMITS.buttonText, `${path}.text`, report);
  if (text.includes('{{')) report(`${path}.text`, 'Button text cannot have placeholders: remove them.');
  if ((url !== undefined) !== (type === 'URL')) {
    report(
      `${path}.url`,
      type === 'URL'
        ? 'Enter the URL that the button opens.'
        : `A ${type} button cannot have a URL: remove it.`,
    );
  } else if (url !== undefined) checkUrl(url, example, path, report);
  if ((phone_number !== undefined) !== (type === 'PHONE_NUMBER')) {
    const message =
      type === 'PHONE_NUMBER'
        ? 'Enter the phone number that the button calls.'
        : `A ${type} button cannot have a phone number: remove it.`;
    report(`${path}.phone_number`, message);
  } else if (phone_number !== undefined && !/^\+?\d{5,19}$/.test(phone_number)) {
    report(`${path}.phone_number`, 'Enter the number with its country code, such as +12125550101.');
  }
}

function checkUrl(url: string, example: TemplateButton['example'], path: string, report: Report): void {
  if (!/^https?:\/\/[^/\s{]/.test(url) || url.length > TEMPLATE_LIMITS.url) {
    report(
      `${path}.url`,
      `Enter a URL that starts with https:// and has at most ${TEMPLATE_LIMITS.url} characters.`,
    );
  }
  if (!url.includes('{{')) return;
  if (!/^[^{]*\{\{1\}\}$/.test(url))
    report(`${path}.url`, 'The URL can have one placeholder, {{1}}, at its end.');
  if (!example || example.length === 0) report(`${path}.example`, 'Add an example of the full URL.');
}

function checkText(text: string | undefined, limit: number, path: string, report: Report): void {
  if (text === undefined || text.trim() === '') report(path, 'Enter a text.');
  else if (text.length > limit)
    report(path, `The text can have at most ${limit} characters; it has ${text.length}.`);
}
