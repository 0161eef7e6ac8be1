// The template message of a task's fields: the platform's template determines where their values go.
import { TaskError } from '#lib/engine/task-executor.ts';
import { slotsOf } from '#lib/messaging/message-templates/schema/describe-template.ts';
import { readSlotValue } from '#lib/messaging/message-templates/schema/read-slot-value.ts';
import { plainSlots } from '#lib/messaging/message-templates/schema/template-slots.ts';
import { askForTemplate, findTemplateFacts } from '#lib/messaging/message-templates/find-template-facts.ts';
import type { FilledSlot, TemplateSlot } from '#lib/messaging/platform/template-slot-types.ts';
import type { ActionCall } from './call.ts';
import { accept, type Fields } from './fields.ts';
import { readButtonIndex, readChoice } from './rules.ts';
import {
  bodySlots,
  headerSlot,
  isInButtonParameter,
  isNumbered,
  readParameters,
  readTemplateValues,
  type TemplateParameters,
} from './template-settings.ts';

const HEADER_TYPES = ['text', 'image', 'video', 'document'] as const;

/**
 * The slots of a template from the last check of the connection. The platform is queried only when values need the slots and no
 * check has found the template.
 */
export async function findSlots(
  call: Pick<ActionCall, 'ctx' | 'fields' | 'connectionId'>,
  { name, language }: { name: string; language: string },
): Promise<TemplateSlot[] | undefined> {
  const { ctx, fields } = call;
  const businessAccountId = fields.text('business_account_id');
  const address = { connectionId: call.connectionId(), businessAccountId, name, language };
  const known = await findTemplateFacts(ctx, address);
  if (known) return slotsOf(known);
  const values = accept(readTemplateValues(fields.parameters('template_values')));
  if (Object.keys(values).length === 0) return undefined;
  const asked = await askForTemplate(ctx, address);
  return asked && slotsOf(asked);
}

/** The values of the fields in their slots. @param slots undefined: unknown, so that the fields decide. @throws TaskError */
export function fillSlots(fields: Fields, slots: readonly TemplateSlot[] | undefined): FilledSlot[] {
  const parameters = accept(readParameters(fields.parameters('template_parameters')), 'invalid_parameters');
  const header = fillHeader(fields, slots);
  const body = fillBody(parameters, slots);
  const rest = fillRest(fields, slots, new Map(body.map(({ slot, value }) => [slot.key, value])));
  return [...header, ...body, ...rest].map(toSent);
}

/** For a template with only a body, or an authentication template, whose button is derived from it. */
export function fillFallback(
  parameters: TemplateParameters,
  slots: readonly TemplateSlot[] | undefined,
): FilledSlot[] {
  const body = fillBody(parameters, slots);
  const same = (slots ?? []).flatMap((slot) => {
    const source = body.find((each) => each.slot.key === slot.sameAs);
    return source ? [{ slot, value: source.value }] : [];
  });
  return [...body, ...same];
}

const fillBody = (
  parameters: TemplateParameters,
  slots: readonly TemplateSlot[] | undefined,
): FilledSlot[] => {
  const own = bodySlots(slots ?? []);
  const filled = isNumbered(parameters)
    ? parameters.map((value, index) => ({ value, slot: own[index] ?? numbered(index) }))
    : Object.entries(parameters).map(([name, value]) => ({
        value,
        slot: own.find(({ placeholder }) => placeholder === name) ?? named(name),
      }));
  return filled.toSorted((a, b) => placeOf(own, a.slot) - placeOf(own, b.slot));
};

/** Values that the template does not have are last, and the platform refuses them. */
const placeOf = (slots: readonly TemplateSlot[], slot: TemplateSlot): number => {
  const place = slots.indexOf(slot);
  return place === -1 ? slots.length : place;
};

const numbered = (index: number): TemplateSlot => {
  const placeholder = String(index + 1);
  return { key: `body_${placeholder}`, in: 'body', takes: 'text', placeholder };
};

const named = (placeholder: string): TemplateSlot => ({
  key: `body_${placeholder}`,
  in: 'body',
  takes: 'text',
  placeholder,
  isNamed: true,
});

function fillHeader(fields: Fields, slots: readonly TemplateSlot[] | undefined): FilledSlot[] {
  const value = fields.text('header_value');
  if (value === '') return [];
  const known = headerSlot(slots ?? []);
  if (known) return [{ slot: known, value }];
  const header = accept(readChoice('header_type', fields.text('header_type') || 'text', HEADER_TYPES));
  const [slot] = plainSlots({ bodyCount: 0, header, buttonIndex: null });
  return slot ? [{ slot, value }] : [];
}

/** Buttons, cards and other parts without their own field. */
function fillRest(
  fields: Fields,
  slots: readonly TemplateSlot[] | undefined,
  body: ReadonlyMap<string, string>,
): FilledSlot[] {
  const buttonValue = fields.text('button_parameter');
  const index = buttonValue === '' ? -1 : accept(readButtonIndex(fields.value('button_index')));
  const values = accept(readTemplateValues(fields.parameters('template_values')));
  const others = (slots ?? []).filter(
    (slot) => slot !== headerSlot(slots ?? []) && !bodySlots(slots ?? []).includes(slot),
  );
  const filled = others.flatMap((slot) => {
    const isOwn = isInButtonParameter(slot, index);
    const value = (isOwn ? buttonValue : values[slot.key]) || body.get(slot.sameAs ?? '') || '';
    return value === '' && slot.isOptional !== true ? [] : [{ slot, value }];
  });
  if (index === -1 || others.some((slot) => isInButtonParameter(slot, index))) return filled;
  const [slot] = plainSlots({ bodyCount: 0, header: null, buttonIndex: index });
  return slot ? [...filled, { slot, value: buttonValue }] : filled;
}

/** In the platform's format. @throws TaskError that names the field */
function toSent({ slot, value }: FilledSlot): FilledSlot {
  if (slot.takes === 'text' || value === '') return { slot, value };
  const read = readSlotValue(slot.takes, value);
  if (read.problem === undefined) return { slot, value: read.value };
  const field = slot.key === 'header' ? 'header_value' : `template_values.${slot.key}`;
  const isFile = slot.takes === 'image' || slot.takes === 'video' || slot.takes === 'document';
  throw isFile
    ? new TaskError('media_failure', `Media failure: the ${field} ${read.problem}`)
    : new TaskError('invalid_field', `The field ${field} ${read.problem}`);
}
