import type { RenderedButton, Template, TemplateButton, TemplateComponent } from '../model.ts';
import { GraphError, invalidParameter } from '../graph-error.ts';
import type { ComponentInput, ParameterInput, TemplateInput } from './message-schema.ts';
import { countPlaceholders, fillPlaceholders } from './placeholders.ts';

/** A template with its parameters in place; the header's media is still a reference. */
export type FittedTemplate = {
  header: string | null;
  media: { kind: 'image' | 'video' | 'document'; link?: string; id?: string; filename?: string } | null;
  text: string;
  footer: string | null;
  buttons: RenderedButton[];
};

type ComponentOf<T extends TemplateComponent['type']> = Extract<TemplateComponent, { type: T }>;

/**
 * Fits the components of a send to the template's definition. Throws 132000 (wrong number of parameters),
 * 132012 (wrong format), 131008 (a button's parameter is missing) or 100 (a text the platform does not take).
 */
export function fitTemplate(template: Template, input: TemplateInput): FittedTemplate {
  const find = <T extends TemplateComponent['type']>(type: T) =>
    template.components.find((component): component is ComponentOf<T> => component.type === type);
  const sent = input.components ?? [];
  const body = find('BODY')?.text ?? '';
  const { header, media } = fitHeader(find('HEADER'), onlyOne(sent, 'header'));
  return {
    header,
    media,
    text: fillPlaceholders(body, textsOf('body', onlyOne(sent, 'body'), countPlaceholders(body))),
    footer: find('FOOTER')?.text ?? null,
    buttons: fitButtons(
      find('BUTTONS')?.buttons ?? [],
      sent.filter(({ type }) => type === 'button'),
    ),
  };
}

function onlyOne(components: ComponentInput[], type: 'header' | 'body'): ParameterInput[] {
  const matching = components.filter((component) => component.type === type);
  if (matching.length > 1)
    throw invalidParameter(`Param template['components'] has more than one component of type ${type}.`);
  return matching[0]?.parameters ?? [];
}

function textsOf(where: string, parameters: ParameterInput[], expected: number): string[] {
  if (parameters.length !== expected) {
    throw new GraphError(
      132000,
      `${where}: number of localizable_params (${parameters.length}) does not match the expected number of params (${expected})`,
    );
  }
  return parameters.map((parameter, index) => textOf(where, parameter, index));
}

function textOf(where: string, parameter: ParameterInput, index: number): string {
  if (parameter.type === 'currency') return parameter.currency.fallback_value;
  if (parameter.type === 'date_time') return parameter.date_time.fallback_value;
  if (parameter.type !== 'text') {
    throw new GraphError(
      132012,
      `${where}: Format mismatch, expected TEXT, received ${parameter.type.toUpperCase()}`,
    );
  }
  if (parameter.text === '') {
    throw new GraphError(
      131008,
      `${where}: Parameter of type text is missing text value (parameter ${index + 1})`,
    );
  }
  if (/[\n\t]| {5,}/.test(parameter.text)) {
    throw invalidParameter(
      'Param text cannot have new-line/tab characters or more than 4 consecutive spaces',
    );
  }
  return parameter.text;
}

function fitHeader(
  header: ComponentOf<'HEADER'> | undefined,
  parameters: ParameterInput[],
): Pick<FittedTemplate, 'header' | 'media'> {
  if (!header || header.format === 'TEXT') {
    const text = header?.text ?? '';
    const filled = fillPlaceholders(text, textsOf('header', parameters, countPlaceholders(text)));
    return { header: header ? filled : null, media: null };
  }
  const [parameter] = parameters;
  const received = parameter?.type.toUpperCase() ?? 'UNKNOWN';
  if (!parameter || received !== header.format || parameters.length > 1) {
    throw new GraphError(132012, `header: Format mismatch, expected ${header.format}, received ${received}`);
  }
  if (parameter.type === 'image') return { header: null, media: { kind: 'image', ...parameter.image } };
  if (parameter.type === 'video') return { header: null, media: { kind: 'video', ...parameter.video } };
  if (parameter.type === 'document')
    return { header: null, media: { kind: 'document', ...parameter.document } };
  throw new GraphError(132012, `header: Format mismatch, expected ${header.format}, received ${received}`);
}

function fitButtons(buttons: TemplateButton[], sent: ComponentInput[]): RenderedButton[] {
  const byIndex = new Map<number, ComponentInput>();
  for (const component of sent) {
    const index = Number(component.index ?? 'NaN');
    if (Number.isNaN(index))
      throw new GraphError(131008, 'buttons: The parameter index is required in components of type button');
    const button = buttons[index];
    if (!button)
      throw new GraphError(132012, `buttons: There is no button at index ${index} in this template`);
    const expected = button.type.toLowerCase();
    if (component.sub_type !== expected) {
      throw new GraphError(
        132012,
        `buttons: Button at index ${index} is of type ${expected}, not ${component.sub_type ?? 'unknown'}`,
      );
    }
    byIndex.set(index, component);
  }
  return buttons.map((button, index) => fitButton(button, index, byIndex.get(index)?.parameters ?? []));
}

function fitButton(button: TemplateButton, index: number, parameters: ParameterInput[]): RenderedButton {
  const { type, text } = button;
  if (type === 'PHONE_NUMBER') return { type, text, target: button.phone_number ?? '', payload: '' };
  if (type === 'QUICK_REPLY') {
    const [parameter] = parameters;
    if (parameter && parameter.type !== 'payload') {
      throw new GraphError(
        132012,
        `buttons: Button at index ${index} of type Quick_reply takes a parameter of type payload`,
      );
    }
    return { type, text, target: '', payload: parameter?.payload ?? text };
  }
  const url = button.url ?? '';
  const expected = countPlaceholders(url);
  if (parameters.length < expected)
    throw new GraphError(131008, `buttons: Button at index ${index} of type Url requires a parameter`);
  return {
    type,
    text,
    target: fillPlaceholders(url, textsOf(`buttons: Button at index ${index}`, parameters, expected)),
    payload: '',
  };
}
