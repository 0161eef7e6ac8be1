import { GraphError, invalidParameter } from '../graph-error.ts';
import type {
  ParameterFormat,
  RenderedButton,
  Template,
  TemplateButton,
  TemplateComponent,
} from '../model.ts';
import { countPlaceholders, fillPlaceholders, fillText, textsOf } from './fill-text.ts';
import type { ComponentInput, ParameterInput, TemplateInput } from './message-schema.ts';

/** A template with inserted parameters; the header's media is still a reference. */
export type FittedTemplate = {
  header: string | null;
  media: { kind: 'image' | 'video' | 'document'; link?: string; id?: string; filename?: string } | null;
  text: string;
  footer: string | null;
  buttons: RenderedButton[];
};

type ComponentOf<T extends TemplateComponent['type']> = Extract<TemplateComponent, { type: T }>;

const findComponent = <T extends TemplateComponent['type']>(components: TemplateComponent[], type: T) =>
  components.find((component): component is ComponentOf<T> => component.type === type);

/**
 * Matches the components of a send with the template's definition. Throws 132000 (wrong number of parameters), 132012 (wrong
 * format), 131008 (a button's parameter is missing) or 100 (an invalid text).
 */
export function fitTemplate(template: Template, input: TemplateInput): FittedTemplate {
  const format = template.parameterFormat ?? 'POSITIONAL';
  const sent = input.components ?? [];
  const fitted = fitParts(template.components, format, sent);
  const carousel = findComponent(template.components, 'CAROUSEL');
  const [first, second] = sent.filter(({ type }) => type === 'carousel');
  if (second)
    throw invalidParameter(`Param template['components'] has more than one component of type carousel.`);
  if (!carousel && first) throw new GraphError(132012, 'carousel: The template has no carousel');
  return carousel ? withCards(fitted, fitCards(carousel, format, first?.cards ?? [])) : fitted;
}

function fitParts(
  components: TemplateComponent[],
  format: ParameterFormat,
  sent: ComponentInput[],
): FittedTemplate {
  const body = findComponent(components, 'BODY')?.text ?? '';
  const { header, media } = fitHeader(findComponent(components, 'HEADER'), format, onlyOne(sent, 'header'));
  return {
    header,
    media,
    text: fillText('body', body, format, onlyOne(sent, 'body')),
    footer: findComponent(components, 'FOOTER')?.text ?? null,
    buttons: fitButtons(
      findComponent(components, 'BUTTONS')?.buttons ?? [],
      sent.filter(({ type }) => type === 'button'),
    ),
  };
}

function fitCards(
  { cards }: ComponentOf<'CAROUSEL'>,
  format: ParameterFormat,
  sent: NonNullable<ComponentInput['cards']>,
): FittedTemplate[] {
  if (sent.length !== cards.length)
    throw new GraphError(
      132000,
      `carousel: number of cards (${sent.length}) does not match (${cards.length})`,
    );
  return cards.map(({ components }, index) => {
    const card = sent.find(({ card_index: at }) => at === index);
    if (!card) throw new GraphError(131008, `carousel: There is no card with the card_index ${index}`);
    return fitParts(components, format, card.components);
  });
}

/** The phone shows the cards as one message: the picture of the first, the texts and buttons of all. */
const withCards = (fitted: FittedTemplate, cards: FittedTemplate[]): FittedTemplate => ({
  ...fitted,
  media: cards[0]?.media ?? null,
  text: [fitted.text, ...cards.map(({ text }, index) => `${index + 1}. ${text}`)].join('\n\n'),
  buttons: cards.flatMap(({ buttons }) => buttons),
});

function onlyOne(components: ComponentInput[], type: 'header' | 'body'): ParameterInput[] {
  const matching = components.filter((component) => component.type === type);
  if (matching.length > 1)
    throw invalidParameter(`Param template['components'] has more than one component of type ${type}.`);
  return matching[0]?.parameters ?? [];
}

function fitHeader(
  header: ComponentOf<'HEADER'> | undefined,
  format: ParameterFormat,
  parameters: ParameterInput[],
): Pick<FittedTemplate, 'header' | 'media'> {
  if (!header || header.format === 'TEXT') {
    const text = header?.text ?? '';
    const filled = fillText('header', text, format, parameters);
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

/** The buttons of a template with inserted parameters. Throws 131008 (missing) or 132012 (of another kind). */
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
  if (type === 'COPY_CODE') {
    const { coupon_code: code } = onlyParameter(parameters, index, 'coupon_code');
    return { type, text, target: code, payload: '' };
  }
  if (type === 'FLOW') {
    const { action } = onlyParameter(parameters, index, 'action');
    return { type: 'ASK', text, target: action.flow_token ?? '', payload: 'flow' };
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

function onlyParameter<T extends ParameterInput['type']>(
  parameters: ParameterInput[],
  index: number,
  type: T,
): Extract<ParameterInput, { type: T }> {
  const [parameter] = parameters;
  const where = `buttons: Button at index ${index}`;
  if (!parameter) throw new GraphError(131008, `${where} requires a parameter of type ${type}`);
  if (parameter.type !== type || parameters.length > 1)
    throw new GraphError(132012, `${where} takes one parameter of type ${type}`);
  return parameter as Extract<ParameterInput, { type: T }>;
}
