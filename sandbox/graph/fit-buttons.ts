import type { RenderedButton, TemplateButton } from '../model.ts';
import { GraphError } from '../graph-error.ts';
import { textsOf } from './fill-text.ts';
import type { ComponentInput, ParameterInput } from './message-schema.ts';
import { countPlaceholders, fillPlaceholders } from './placeholders.ts';

/** The buttons of a template with their parameters in place. Throws 131008 (missing) or 132012 (of another kind). */
export function fitButtons(buttons: TemplateButton[], sent: ComponentInput[]): RenderedButton[] {
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
