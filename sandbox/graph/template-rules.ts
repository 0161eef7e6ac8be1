import type { NamedExample, ParameterFormat, TemplateButton, TemplateComponent } from '../model.ts';
import { GraphError } from '../graph-error.ts';
import { countPlaceholders, listNames, listPlaceholders } from './fill-text.ts';

const SUBCODE_INVALID_FORMAT = 2388023;
const SUBCODE_MISSING_EXAMPLE = 2388273;

type ComponentOf<T extends TemplateComponent['type']> = Extract<TemplateComponent, { type: T }>;

const refuse = (details: string, subcode = SUBCODE_INVALID_FORMAT) =>
  new GraphError(100, details, { subcode });

/** Checks the components of a new template (spec, create_template), or of a card of it. Throws 100. */
export function assertComponents(components: TemplateComponent[], format: ParameterFormat): void {
  for (const type of ['HEADER', 'BODY', 'FOOTER', 'BUTTONS', 'CAROUSEL']) {
    const count = components.filter((component) => component.type === type).length;
    if (count > 1) throw refuse(`There may be one ${type} component only; there are ${count}.`);
    if (type === 'BODY' && count === 0) throw refuse('A BODY component is required.');
  }
  for (const component of components) {
    if (component.type === 'HEADER') assertHeader(component, format);
    else if (component.type === 'BODY') assertBody(component, format);
    else if (component.type === 'FOOTER') assertFooter(component.text);
    else if (component.type === 'CAROUSEL') assertCarousel(component, format);
    else assertButtons(component);
  }
}

/** Two to ten cards, each with the same parts: a picture or video, and buttons. */
function assertCarousel({ cards }: ComponentOf<'CAROUSEL'>, format: ParameterFormat): void {
  if (cards.length < 2 || cards.length > 10) throw refuse('CAROUSEL: there must be two to ten cards.');
  const shapes = new Set<string>();
  for (const { components } of cards) {
    assertComponents(components, format);
    const types = components.map((component) =>
      component.type === 'HEADER' ? component.format : component.type,
    );
    if (!types.includes('IMAGE') && !types.includes('VIDEO'))
      throw refuse('CAROUSEL: each card needs a HEADER of format IMAGE or VIDEO.');
    shapes.add(types.join());
  }
  if (shapes.size > 1) throw refuse('CAROUSEL: all cards must have the same components.');
}

function assertHeader(
  { format, text, example }: ComponentOf<'HEADER'>,
  parameterFormat: ParameterFormat,
): void {
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
  if (parameterFormat === 'NAMED') return assertNames('HEADER', text, example?.header_text_named_params, 1);
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

function assertBody({ text, example, ...rest }: ComponentOf<'BODY'>, format: ParameterFormat): void {
  if (text.trim() === '') throw refuse('BODY: the text is required.');
  if (text.length > 1024) throw refuse('BODY: the text can have at most 1024 characters.');
  if ('add_security_recommendation' in rest) return;
  if (format === 'POSITIONAL') assertNumbering('BODY', text);
  const trimmed = text.trim();
  if (/^\{\{\w+\}\}/.test(trimmed) || /\{\{\w+\}\}$/.test(trimmed)) {
    throw refuse('BODY: variables cannot be at the start or end of the text.');
  }
  if (/\}\}\s*\{\{/.test(text)) throw refuse('BODY: two variables cannot stand next to each other.');
  if (format === 'NAMED') return assertNames('BODY', text, example?.body_text_named_params);
  const expected = countPlaceholders(text);
  const given = example?.body_text?.[0]?.length ?? 0;
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

/** Each variable has a name of lowercase letters, digits and underscores, and an example under that name. */
function assertNames(
  where: string,
  text: string,
  examples: NamedExample[] = [],
  most = Number.POSITIVE_INFINITY,
): void {
  if (/\{\{(?![a-z][a-z0-9_]*\}\})/.test(text))
    throw refuse(`${where}: variables must be written as {{first_name}}, in small letters.`);
  const names = listNames(text);
  if (names.length > most) throw refuse(`${where}: the text can have at most ${most} variable.`);
  const given = examples.map(({ param_name: name }) => name);
  if (names.length !== given.length || names.some((name) => !given.includes(name))) {
    throw refuse(
      `${where}: is missing expected field(s) (example) with one entry for each of {${names.join(', ')}}.`,
      SUBCODE_MISSING_EXAMPLE,
    );
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
  for (const [index, button] of buttons.entries()) {
    const { type, text, url, phone_number: phoneNumber, example } = button;
    const where = `BUTTONS: button ${index + 1}`;
    if (text.trim() === '' || text.length > 25)
      throw refuse(`${where}: the text must have 1 to 25 characters.`);
    if (text.includes('{{')) throw refuse(`${where}: the text cannot have variables.`);
    assertOtherButton(where, button);
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

/** Coupon codes have an example, flow buttons a flow. */
function assertOtherButton(where: string, { type, example, flow_id: flowId }: TemplateButton): void {
  if (type === 'COPY_CODE' && (example === undefined || example.length === 0))
    throw refuse(`${where}: is missing expected field(s) (example) of the code.`, SUBCODE_MISSING_EXAMPLE);
  if ((flowId !== undefined) !== (type === 'FLOW'))
    throw refuse(`${where}: flow_id belongs to buttons of type FLOW, and is required there.`);
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
