// Whether a message template gets exactly its values: the platform refuses anything else (132000, 132012, 131008).
import type { Problem } from '#lib/core/errors.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { slotsOf } from '#lib/messaging/message-templates/schema/describe-template.ts';
import { readSlotValue } from '#lib/messaging/message-templates/schema/read-slot-value.ts';
import type { SlotKind, TemplateSlot } from '#lib/messaging/platform/template-slot-types.ts';
import type { TemplateFacts } from '#lib/messaging/schema/fact-types.ts';
import { hasVariables, isMissing } from '#lib/tasks/setting-values.ts';
import type { FindTemplate, StoredSettings } from '#lib/tasks/task-definition.ts';
import { toText } from '#lib/variables/to-text.ts';
import {
  bodySlots,
  buttonSlot,
  headerSlot,
  isInButtonParameter,
  isNumbered,
  parameterOf,
  readParameters,
  readTemplateValues,
  settingOf,
} from './template-settings.ts';

interface Checked {
  name: string;
  slots: readonly TemplateSlot[];
}

/** Problems by field. */
export const templateProblems = (settings: StoredSettings, find: FindTemplate): Problem[] => {
  const template = find('template_name');
  const fallback = find('fallback_template_name');
  return [
    ...(template ? checkTemplate(settings, template) : []),
    ...(fallback ? checkFallback(settings, fallback) : []),
  ];
};

function checkTemplate(settings: StoredSettings, template: TemplateFacts): Problem[] {
  const { name, unfillable = [] } = template;
  if (unfillable.length > 0) {
    const message = `“${name}” has ${unfillable.join(' and ')}, which cannot be sent from here. Select another template.`;
    return [{ path: 'template_name', message }];
  }
  const slots = slotsOf(template);
  // For a template that was checked by version 0.2.0, which did not support names.
  if (!slots) return [];
  const checked = { name, slots };
  return [
    ...checkParameters(settings, 'template_parameters', checked),
    ...checkHeader(settings, checked),
    ...checkButton(settings, checked),
    ...checkValues(settings, checked),
  ];
}

function checkFallback(settings: StoredSettings, template: TemplateFacts): Problem[] {
  const { name, unfillable = [] } = template;
  const slots = slotsOf(template) ?? [];
  const body = bodySlots(slots);
  const other = slots.find((slot) => !body.includes(slot) && slot.sameAs === undefined);
  if (other || unfillable.length > 0) {
    const part = other ? partWords(other) : unfillable.join(' and ');
    const message = `“${name}” needs ${part}, which a fallback cannot have. Select a template with a body only.`;
    return [{ path: 'fallback_template_name', message }];
  }
  return checkParameters(settings, 'fallback_template_parameters', { name, slots });
}

function partWords(slot: TemplateSlot): string {
  if (slot.card !== undefined) return 'the cards of a carousel';
  if (slot.in === 'header')
    return slot.takes === 'latitude' ? 'a location header' : `${withArticle(slot.takes)} header`;
  if (slot.takes === 'text') return 'a value in the URL of a button';
  return slotWords(slot);
}

/** A list from one variable is only known in a run. */
function checkParameters(settings: StoredSettings, field: string, { name, slots }: Checked): Problem[] {
  const body = bodySlots(slots);
  const value = settings[field];
  if (isGivenByVariable(value)) return [];
  const parameters = readParameters((value ?? null) as JsonValue).value;
  if (!parameters) return [];
  const surplus = isNumbered(parameters)
    ? findSurplus(name, body.length, parameters.length)
    : findStrangers(name, body, Object.keys(parameters));
  if (surplus !== undefined) return [{ path: field, message: surplus }];
  return body
    .filter((slot, position) => isMissing(parameterOf(parameters, slot, position) ?? ''))
    .map((slot) => ({
      path: settingOf(slot, slots).replace('template_parameters', field),
      message: `Enter a value for {{${slot.placeholder ?? ''}}} of “${name}”.`,
    }));
}

const isGivenByVariable = (value: unknown): boolean =>
  typeof value === 'string' && hasVariables(value) && !/^\s*(\[|\{(?!\{))/.test(value);

function findSurplus(name: string, takes: number, gets: number): string | undefined {
  if (gets <= takes) return undefined;
  const wanted = takes === 1 ? 'one parameter' : `${takes === 0 ? 'no' : takes} parameters`;
  return `“${name}” takes ${wanted} but gets ${gets}. Remove the others.`;
}

function findStrangers(
  name: string,
  body: readonly TemplateSlot[],
  given: readonly string[],
): string | undefined {
  if (given.length > 0 && !body.some(({ isNamed }) => isNamed))
    return `The parameters of “${name}” have no names. Enter a list of ${body.length}, in their order.`;
  const names = body.map(({ placeholder = '' }) => placeholder);
  const strangers = given.filter((each) => !names.includes(each));
  if (strangers.length === 0) return undefined;
  return `“${name}” has no parameter ${strangers.map((each) => `“${each}”`).join(', ')}. It has ${names.join(', ')}.`;
}

function checkHeader(settings: StoredSettings, { name, slots }: Checked): Problem[] {
  const slot = headerSlot(slots);
  const value = toText(settings['header_value'] as JsonValue | undefined).trim();
  const type = toText(settings['header_type'] as JsonValue | undefined);
  if (!slot) {
    if (value === '') return [];
    return [{ path: 'header_value', message: `The header of “${name}” takes no value. Remove it.` }];
  }
  const { takes, placeholder = '1' } = slot;
  if (value === '') {
    const what =
      takes === 'text' ? `the text for {{${placeholder}}} in the header` : `the ${takes} for the header`;
    return [
      {
        path: 'header_value',
        message: `Enter ${what} of “${name}”${takes === 'text' ? '' : ': a public URL, or upload a file'}.`,
      },
    ];
  }
  const unreadable = findUnreadable(slot, value, 'The header value');
  if (unreadable !== undefined) return [{ path: 'header_value', message: unreadable }];
  if (hasVariables(type) || (type || 'text') === takes) return [];
  return [
    {
      path: 'header_type',
      message: `The header of “${name}” is ${withArticle(takes)}. Select ${takes}.`,
    },
  ];
}

function checkButton(settings: StoredSettings, { name, slots }: Checked): Problem[] {
  const value = settings['button_parameter'];
  const index = settings['button_index'] ?? 0;
  const slot = buttonSlot(slots);
  if (!slot) {
    // The code of an authentication template may be set twice.
    const isTwice = slots.some((each) => isInButtonParameter(each, index as JsonValue));
    if (isMissing(value) || isTwice) return [];
    return [{ path: 'button_parameter', message: `No button of “${name}” takes a value. Remove it.` }];
  }
  if (isMissing(value))
    return [{ path: 'button_parameter', message: `Enter ${slotWords(slot)} of “${name}”.` }];
  const unreadable = findUnreadable(slot, toText(value as JsonValue).trim(), 'The button parameter');
  if (unreadable !== undefined) return [{ path: 'button_parameter', message: unreadable }];
  if (hasVariables(index) || Number(index) === slot.index) return [];
  return [
    {
      path: 'button_index',
      message: `The button of “${name}” that takes a value has the index ${slot.index ?? 0}.`,
    },
  ];
}

/** Values without their own field. */
function checkValues(settings: StoredSettings, { name, slots }: Checked): Problem[] {
  const given = settings['template_values'];
  if (isGivenByVariable(given)) return [];
  const values = readTemplateValues((given ?? null) as JsonValue).value;
  if (!values) return [];
  const index = (settings['button_index'] ?? 0) as JsonValue;
  const hasButton = !isMissing(settings['button_parameter']);
  return slots.flatMap((slot) => {
    const path = settingOf(slot, slots);
    if (!path.startsWith('template_values.') || slot.sameAs !== undefined) return [];
    if (hasButton && isInButtonParameter(slot, index)) return [];
    const value = values[slot.key] ?? '';
    if (value === '')
      return slot.isOptional ? [] : [{ path, message: `Enter ${slotWords(slot)} of “${name}”.` }];
    const unreadable = findUnreadable(slot, value, 'It');
    return unreadable === undefined ? [] : [{ path, message: unreadable }];
  });
}

/** The value of a variable is only known in a run. */
function findUnreadable({ takes }: TemplateSlot, value: string, subject: string): string | undefined {
  if (hasVariables(value)) return undefined;
  const { problem } = readSlotValue(takes, value);
  return problem === undefined ? undefined : `${subject} ${problem}`;
}

const withArticle = (header: string): string => `${header === 'image' ? 'an' : 'a'} ${header}`;

/** The object of “Enter”: `the coupon code for “Copy offer code”`. Isomorphic. */
function slotWords(slot: TemplateSlot): string {
  return `${WORDS[slot.takes](slot)}${slot.card === undefined ? '' : ` on card ${slot.card + 1}`}`;
}

const quoted = ({ label }: TemplateSlot): string => (label ? ` of “${label}”` : '');

const textWords = (slot: TemplateSlot): string => {
  const { placeholder = '1' } = slot;
  if (slot.in === 'button')
    return `the value for {{${placeholder}}} in the ${slot.label ? `URL of “${slot.label}”` : 'button URL'}`;
  return slot.in === 'header'
    ? `the text for {{${placeholder}}} in the header`
    : `a value for {{${placeholder}}}`;
};

const WORDS: Readonly<Record<SlotKind, (slot: TemplateSlot) => string>> = {
  text: textWords,
  image: () => 'the image for the header',
  video: () => 'the video for the header',
  document: () => 'the document for the header',
  latitude: () => 'the latitude of the location',
  longitude: () => 'the longitude of the location',
  place_name: () => 'the name of the location',
  place_address: () => 'the address of the location',
  coupon_code: (slot) => `the coupon code${quoted(slot)}`,
  flow_token: (slot) => `the flow token${quoted(slot)}`,
  flow_data: (slot) => `the flow data${quoted(slot)}`,
  expires_at: () => 'when the offer ends',
};
