// How the values of a message template are stored in a task's settings: those of the spec have their own fields, all others are
// in `template_values` under the keys of slots. Isomorphic: shared by form, publishing and runs.
import * as z from 'zod';
import { parseJson } from '#lib/core/json/parse-json.ts';
import { JsonSyntaxError } from '#lib/core/json/read-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/core/json/value.ts';
import type { Reading } from '#lib/core/errors.ts';
import type { TemplateSlot } from '#lib/messaging/platform/template-slot-types.ts';
import { variableText } from '#lib/tasks/setting-values.ts';
import { describeValue } from '#lib/variables/errors.ts';
import { toText } from '#lib/variables/to-text.ts';

/** Elements for {{1}}, {{2}} …, or values for {{first_name}} by their names. */
export type TemplateParameters = readonly string[] | Readonly<Record<string, string>>;

/** The settings with a template's values. */
export const TEMPLATE_FIELDS = [
  'template_parameters',
  'header_type',
  'header_value',
  'button_parameter',
  'button_index',
  'template_values',
] as const;

const ofCard = ({ card }: TemplateSlot): boolean => card !== undefined;

const takesWord = ({ takes }: TemplateSlot): boolean => takes === 'text' || takes === 'coupon_code';

/** The body's texts, in the order of their placeholders. */
export const bodySlots = (slots: readonly TemplateSlot[]): TemplateSlot[] =>
  slots.filter((slot) => slot.in === 'body' && !ofCard(slot));

/** The slot of `header_value`; undefined: none. */
export const headerSlot = (slots: readonly TemplateSlot[]): TemplateSlot | undefined =>
  slots.find((slot) => slot.in === 'header' && slot.key === 'header');

/** The button of `button_parameter`: the first one that needs a text; undefined: none. */
export const buttonSlot = (slots: readonly TemplateSlot[]): TemplateSlot | undefined =>
  slots.find((slot) => slot.in === 'button' && !ofCard(slot) && takesWord(slot) && slot.sameAs === undefined);

/** The path of a value, for the form and for problems. */
export function settingOf(slot: TemplateSlot, slots: readonly TemplateSlot[]): string {
  if (slot === headerSlot(slots)) return 'header_value';
  if (slot === buttonSlot(slots)) return 'button_parameter';
  if (slot.in !== 'body' || ofCard(slot)) return `template_values.${slot.key}`;
  return slot.isNamed
    ? `template_parameters.${slot.placeholder ?? ''}`
    : `template_parameters[${bodySlots(slots).indexOf(slot)}]`;
}

/** Whether a button's value is in `button_parameter`, by the index beside it. */
export const isInButtonParameter = (slot: TemplateSlot, index: JsonValue | undefined): boolean =>
  slot.in === 'button' && !ofCard(slot) && takesWord(slot) && slot.index === Number(index ?? 0);

/** The value of a placeholder of the body. @param position among those of the body */
export const parameterOf = (
  parameters: TemplateParameters,
  slot: TemplateSlot,
  position: number,
): string | undefined => (isNumbered(parameters) ? parameters[position] : parameters[slot.placeholder ?? '']);

export const isNumbered = (parameters: TemplateParameters): parameters is readonly string[] =>
  Array.isArray(parameters);

const LIST = 'a JSON array of strings, such as ["Guest", "A-1001"]';
const MISMATCH = 'Parameter mismatch: ';

/**
 * Elements n replace the placeholders {{n}} in order; all must be strings (spec, send_template and Errors). For a template with
 * named placeholders, an object with the values by name.
 */
export function readParameters(value: JsonValue | undefined): Reading<TemplateParameters> {
  if (value === undefined || value === null || value === '') return { value: [] };
  const given = typeof value === 'string' ? readJsonText('template_parameters', value) : { value };
  if (given.problem !== undefined) return { problem: `${MISMATCH}${given.problem}` };
  const list: JsonValue = given.value;
  const isNamed = isJsonObject(list) && Object.keys(list).every(isName);
  if (!Array.isArray(list) && !isNamed) {
    return {
      problem: `${MISMATCH}template_parameters is ${describeValue(list)}; it must be ${LIST}, or for a template whose parameters have names an object, such as {"first_name": "Guest"}.`,
    };
  }
  const wrong = Object.entries<JsonValue>(list).find(([, each]) => typeof each !== 'string');
  if (!wrong) return { value: list as TemplateParameters };
  const [key, each] = wrong;
  const where = isNamed ? key : `element ${Number(key) + 1}`;
  return {
    problem: `${MISMATCH}${where} of template_parameters is ${describeValue(each)}; all must be strings.`,
  };
}

const isName = (key: string): boolean => /^[a-z_]\w*$/i.test(key);

/** An object of texts by the keys of slots. */
export function readTemplateValues(value: JsonValue | undefined): Reading<Readonly<Record<string, string>>> {
  if (value === undefined || value === null || value === '') return { value: {} };
  const given = typeof value === 'string' ? readJsonText('template_values', value) : { value };
  if (given.problem !== undefined) return given;
  if (!isJsonObject(given.value))
    return {
      problem: `template_values is ${describeValue(given.value)}; it must be an object, such as {"card_0_header": "https://…"}.`,
    };
  return { value: textsOf(given.value) };
}

const textsOf = (values: JsonObject): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([key, each]) => [key, toText(each).trim()]));

export function readJsonText(field: string, text: string): Reading<JsonValue> {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { problem: `${field} is not JSON: ${error.message}.` };
  }
}

// The settings for a template's values, shared by all tasks that send one.

/** A list, or an object by names; as a text it may have variables inside its strings, or be one variable for all. */
export const templateParameters = () =>
  z.union([variableText(), z.array(z.unknown()), z.record(z.string(), z.unknown())]);

export const templateValues = () => z.union([variableText(), z.record(z.string(), z.unknown())]);

export const PARAMETERS_HELP =
  'A JSON array of strings: the first replaces {{1}} of the template, the second {{2}}, and so on. Of a template whose parameters have names an object, such as {"first_name": "…"}.';

export const BUTTON_HELP = 'Value for {{1}} in the button URL, or the code of a coupon button.';

export const VALUES_HELP =
  'A JSON object with what the template takes besides, such as the cards of a carousel, by keys: card_0_header, card_0_body_1, card_0_button_1, button_1, button_0_token, button_0_data, expires_at.';
