import type { TemplateComponent } from '../model.ts';
import { GraphError } from '../graph-error.ts';
import { countPlaceholders, listPlaceholders } from './placeholders.ts';

const SUBCODE_INVALID_FORMAT = 2388023;
const SUBCODE_MISSING_EXAMPLE = 2388273;

type ComponentOf<T extends TemplateComponent['type']> = Extract<TemplateComponent, { type: T }>;

const refuse = (details: string, subcode = SUBCODE_INVALID_FORMAT) =>
  new GraphError(100, details, { subcode });

/** Checks the components of a new template (spec, create_template). Throws 100. */
export function assertComponents(components: TemplateComponent[]): void {
  for (const type of ['HEADER', 'BODY', 'FOOTER', 'BUTTONS']) {
    const count = components.filter((component) => component.type === type).length;
    if (count > 1) throw refuse(`There may be one ${type} component only; there are ${count}.`);
    if (type === 'BODY' && count === 0) throw refuse('A BODY component is required.');
  }
  for (const component of components) {
    if (component.type === 'HEADER') assertHeader(component);
    else if (component.type === 'BODY') assertBody(component);
    else if (component.type === 'FOOTER') assertFooter(component.text);
    else assertButtons(component);
  }
}

function assertHeader({ format, text, example }: ComponentOf<'HEADER'>): void {
  if (format !== 'TEXT') {
    if (text !== undefined) throw refuse(`HEADER: a header of format ${format} has no text.`);
    if (!example?.header_handle?.[0]) {
      throw refuse(
        'HEADER: is missing expected field(s) (example): example.header_handle with one sample.',
        SUBCODE_MISSING_EXAMPLE,
      );
    }
    return;
  }
  if (!text) throw refuse('HEADER: the text is required.');
  if (text.length > 60) throw refuse('HEADER: the text can have at most 60 characters.');
  const count = countPlaceholders(text);
  if (count > 1) throw refuse('HEADER: the text can have at most one variable.');
  assertNumbering('HEADER', text);
  if (count === 1 && !example?.header_text?.[0]) {
    throw refuse(
      'HEADER: is missing expected field(s) (example): example.header_text.',
      SUBCODE_MISSING_EXAMPLE,
    );
  }
}

function assertBody({ text, example }: ComponentOf<'BODY'>): void {
  if (text.trim() === '') throw refuse('BODY: the text is required.');
  if (text.length > 1024) throw refuse('BODY: the text can have at most 1024 characters.');
  assertNumbering('BODY', text);
  const trimmed = text.trim();
  if (/^\{\{\d+\}\}/.test(trimmed) || /\{\{\d+\}\}$/.test(trimmed)) {
    throw refuse('BODY: variables cannot be at the start or end of the text.');
  }
  if (/\}\}\s*\{\{/.test(text)) throw refuse('BODY: two variables cannot stand next to each other.');
  const expected = countPlaceholders(text);
  const given = example?.body_text[0]?.length ?? 0;
  if (given !== expected) {
    throw refuse(
      `BODY: example.body_text must have ${expected} value(s), one for each variable; it has ${given}.`,
      SUBCODE_MISSING_EXAMPLE,
    );
  }
}

function assertNumbering(where: string, text: string): void {
  if (/\{\{(?!\d+\}\})/.test(text)) throw refuse(`${where}: variables must be written as {{1}}, {{2}}, …`);
  const numbers = [...new Set(listPlaceholders(text))].sort((a, b) => a - b);
  if (numbers.some((number, index) => number !== index + 1)) {
    throw refuse(`${where}: variables must be numbered 1, 2, 3, … without gaps.`);
  }
}

function assertFooter(text: string): void {
  if (text.trim() === '') throw refuse('FOOTER: the text is required.');
  if (text.length > 60) throw refuse('FOOTER: the text can have at most 60 characters.');
  if (text.includes('{{')) throw refuse('FOOTER: the text cannot have variables.');
}

function assertButtons({ buttons }: ComponentOf<'BUTTONS'>): void {
  if (buttons.length === 0 || buttons.length > 3)
    throw refuse('BUTTONS: there must be one to three buttons.');
  for (const [index, { type, text, url, phone_number: phoneNumber, example }] of buttons.entries()) {
    const where = `BUTTONS: button ${index + 1}`;
    if (text.trim() === '' || text.length > 25)
      throw refuse(`${where}: the text must have 1 to 25 characters.`);
    if (text.includes('{{')) throw refuse(`${where}: the text cannot have variables.`);
    if ((url !== undefined) !== (type === 'URL'))
      throw refuse(`${where}: url belongs to buttons of type URL, and is required there.`);
    if ((phoneNumber !== undefined) !== (type === 'PHONE_NUMBER')) {
      throw refuse(`${where}: phone_number belongs to buttons of type PHONE_NUMBER, and is required there.`);
    }
    if (phoneNumber !== undefined && !/^\+?\d{5,19}$/.test(phoneNumber))
      throw refuse(`${where}: the phone_number is not valid.`);
    if (url !== undefined) assertButtonUrl(where, url, example);
  }
}

function assertButtonUrl(where: string, url: string, example: string[] | string | undefined): void {
  if (!/^https?:\/\/[^/\s]/.test(url)) throw refuse(`${where}: the url must start with http:// or https://.`);
  if (!url.includes('{{')) return;
  if (!/^[^{]*\{\{1\}\}$/.test(url))
    throw refuse(`${where}: the url can have one variable, {{1}}, at its end.`);
  if (!example || example.length === 0) {
    throw refuse(
      `${where}: is missing expected field(s) (example) for the variable of the url.`,
      SUBCODE_MISSING_EXAMPLE,
    );
  }
}
