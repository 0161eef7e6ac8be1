// The values of a message template in a task's settings, read and changed one at a time: pure, so that it can be tested alone.
import type { TemplateSlot } from '#lib/messaging/platform/template-slot-types.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import {
  bodySlots,
  isInButtonParameter,
  isNumbered,
  parameterOf,
  settingOf,
  type TemplateParameters,
} from '#lib/tasks/messaging-business/template-settings.ts';

type Settings = Readonly<Record<string, unknown>>;

/** Whether parameters are written one by one: those that one variable gives as a whole have no fields of their own. */
export const isWrittenOut = (value: unknown): boolean =>
  typeof value !== 'string' || value.trim() === '' || parseText(value) !== undefined;

/** What is written for a slot; empty: nothing. */
export function valueInSettings(
  settings: Settings,
  slot: TemplateSlot,
  slots: readonly TemplateSlot[],
): string {
  const field = settingOf(slot, slots);
  if (field === 'header_value') return textOf(settings['header_value']);
  if (field.startsWith('template_parameters'))
    return (
      parameterOf(readParameters(settings['template_parameters']), slot, bodySlots(slots).indexOf(slot)) ?? ''
    );
  const index = (settings['button_index'] ?? 0) as JsonValue;
  const button = isInButtonParameter(slot, index) ? textOf(settings['button_parameter']) : '';
  return button || textOf(readValues(settings['template_values'])[slot.key]);
}

/** The settings that change when a slot is given a value. What kind of header and which button it is follows from the template. */
export function changeOf(
  settings: Settings,
  slot: TemplateSlot,
  slots: readonly TemplateSlot[],
  value: string,
): Record<string, unknown> {
  const field = settingOf(slot, slots);
  const isEmpty = value === '';
  if (field === 'header_value')
    return { header_value: isEmpty ? undefined : value, header_type: isEmpty ? undefined : slot.takes };
  if (field === 'button_parameter')
    return { button_parameter: isEmpty ? undefined : value, button_index: isEmpty ? undefined : slot.index };
  const valueOf = (each: TemplateSlot): string =>
    each === slot ? value : valueInSettings(settings, each, slots);
  if (field.startsWith('template_parameters')) {
    const body = bodySlots(slots);
    return {
      template_parameters: body.some(({ isNamed }) => isNamed)
        ? Object.fromEntries(body.map((each) => [each.placeholder ?? '', valueOf(each)]))
        : body.map(valueOf),
    };
  }
  const entries = slots
    .filter((each) => settingOf(each, slots).startsWith('template_values'))
    .map((each) => [each.key, valueOf(each)] as const)
    .filter(([, each]) => each !== '');
  return { template_values: entries.length === 0 ? undefined : Object.fromEntries(entries) };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A list or an object, or its text. */
function readParameters(value: unknown): TemplateParameters {
  const given = typeof value === 'string' ? parseText(value) : value;
  if (Array.isArray(given)) return given.map(toWritten);
  if (typeof given !== 'object' || given === null) return [];
  return Object.fromEntries(Object.entries(given).map(([name, each]) => [name, toWritten(each)]));
}

function readValues(value: unknown): Readonly<Record<string, string>> {
  const read = readParameters(value);
  return isNumbered(read) ? {} : read;
}

const toWritten = (each: unknown): string => (typeof each === 'string' ? each : JSON.stringify(each));

/** Undefined: it is no JSON, or one variable. */
function parseText(text: string): unknown {
  if (!/^\s*(\[|\{(?!\{))/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
