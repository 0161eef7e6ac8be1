'use client';
import { usePanel } from '#components/task-panel/panel-context.tsx';
import { VariableField } from '#components/task-panel/variable-field.tsx';
import type { JsonValue } from '#lib/core/json/value.ts';
import type { SlotKind, TemplateSlot } from '#lib/messaging/platform/template-slot-types.ts';
import {
  bodySlots,
  isInButtonParameter,
  isNumbered,
  parameterOf,
  settingOf,
  type TemplateParameters,
} from '#lib/tasks/messaging-business/template-settings.ts';
import { MediaUpload } from './media-upload.tsx';

export interface SlotFieldProps {
  slot: TemplateSlot;
  /** All of the template. */
  slots: readonly TemplateSlot[];
  example: string | undefined;
  change: (settings: Record<string, unknown>) => void;
}

/** The field of one value of a message template. */
export function SlotField({ slot, slots, example, change }: SlotFieldProps) {
  const { task } = usePanel();
  const value = valueInSettings(task.settings, slot, slots);
  const set = (next: string): void => change(changeOf(task.settings, slot, slots, next));
  const file = FILE_KINDS.find((kind) => kind === slot.takes);
  return (
    <div>
      <VariableField
        path={`settings.${settingOf(slot, slots)}`}
        label={LABELS[slot.takes](slot)}
        help={HELP[slot.takes] ?? (example === undefined ? undefined : `For example: ${example}`)}
        value={value}
        onChange={set}
        isCode={slot.takes === 'flow_data'}
        isMultiline={slot.takes === 'flow_data'}
      />
      {file && <MediaUpload kind={file} mediaId={value} onUploaded={({ mediaId }) => set(mediaId)} />}
    </div>
  );
}

const FILE_KINDS = ['image', 'video', 'document'] as const;

const textLabel = ({ in: part, placeholder = '1', label = '' }: TemplateSlot): string => {
  if (part === 'button') return `Value for {{${placeholder}}} in the URL of "${label}"`;
  return part === 'header' ? `Header {{${placeholder}}}` : `{{${placeholder}}}`;
};

const LABELS: Readonly<Record<SlotKind, (slot: TemplateSlot) => string>> = {
  text: textLabel,
  image: () => 'Public URL of the image',
  video: () => 'Public URL of the video',
  document: () => 'Public URL of the document',
  latitude: () => 'Latitude',
  longitude: () => 'Longitude',
  place_name: () => 'Name of the place',
  place_address: () => 'Address of the place',
  coupon_code: ({ label = '' }) => `Coupon code of "${label}"`,
  flow_token: ({ label = '' }) => `Flow token of "${label}"`,
  flow_data: ({ label = '' }) => `Data for the first screen of "${label}"`,
  expires_at: () => 'Offer ends at',
};

const FILE_HELP = 'Or the media ID of an uploaded file.';
const HELP: Readonly<Partial<Record<SlotKind, string>>> = {
  image: FILE_HELP,
  video: FILE_HELP,
  document: FILE_HELP,
  flow_token: 'Optional. Comes back with the customer’s answer.',
  flow_data: 'Optional. A JSON object, such as {"name": "Guest"}.',
  expires_at: 'For example: 2030-01-31T09:00:00Z',
  latitude: 'For example: 52.52',
  longitude: 'For example: 13.405',
};

// The values of a message template in a task's settings, read and changed one at a time: pure, so that it can be tested alone.

type Settings = Readonly<Record<string, unknown>>;

/** Whether parameters are written one by one: those that are one variable have no separate fields. */
export const isWrittenOut = (value: unknown): boolean =>
  typeof value !== 'string' || value.trim() === '' || parseText(value) !== undefined;

/** The value of a slot; empty: none. */
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

/** The settings that change when a slot is given a value. The kind of header and the button are derived from the template. */
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

/** Undefined: it is not JSON, or one variable. */
function parseText(text: string): unknown {
  if (!/^\s*(\[|\{(?!\{))/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
