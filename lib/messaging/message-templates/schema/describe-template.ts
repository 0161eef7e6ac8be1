import type { TemplateSlot } from '#lib/messaging/platform/template-slot-types.ts';
import type { QuickReply, TemplateFacts } from '#lib/messaging/schema/fact-types.ts';
import { exampleOf, findPart, listNames, readParts, type StoredPart } from './stored-template.ts';
import { plainSlots, readTemplateParts } from './template-slots.ts';

/** A message template as the platform lists it. */
export interface DescribedTemplate {
  name: string;
  language: string;
  status: string;
  /** Empty, or left out: the platform does not return it. */
  category?: string | undefined;
  components: unknown;
  /** POSITIONAL or NAMED; left out: unknown. */
  parameterFormat?: string | undefined;
}

/** The values that sending a message template requires. Isomorphic. */
export function describeTemplate({
  name,
  language,
  status,
  category = '',
  components,
  parameterFormat,
}: DescribedTemplate): TemplateFacts {
  const { slots, unfillable } = readTemplateParts({ components, parameterFormat });
  return {
    name,
    language,
    status,
    ...(category === '' ? {} : { category }),
    ...toPlain(slots),
    quickReplies: quickRepliesOf(components),
    slots,
    unfillable,
  };
}

/** The same in the format of version 0.2.0, whose processes may run beside this version. */
function toPlain(
  slots: readonly TemplateSlot[],
): Pick<TemplateFacts, 'bodyCount' | 'header' | 'buttonIndex'> {
  const own = slots.filter(({ card }) => card === undefined);
  const body = own.filter((slot) => slot.in === 'body');
  const takes = own.find((slot) => slot.in === 'header')?.takes;
  const button = own.find((slot) => slot.in === 'button' && slot.takes === 'text');
  return {
    bodyCount: body.some(({ isNamed }) => isNamed) ? null : body.length,
    header: takes === 'text' || takes === 'image' || takes === 'video' || takes === 'document' ? takes : null,
    buttonIndex: button?.index ?? null,
  };
}

/** The values of a template; data of version 0.2.0 has only a part. Undefined: unknown placeholders. */
export function slotsOf({
  slots,
  bodyCount,
  header,
  buttonIndex,
}: Pick<TemplateFacts, 'slots' | 'bodyCount' | 'header' | 'buttonIndex'>): TemplateSlot[] | undefined {
  if (slots) return slots;
  return bodyCount === null ? undefined : plainSlots({ bodyCount, header, buttonIndex });
}

/** Whether a template can be sent without any value. */
export function isPlain(template: Pick<DescribedTemplate, 'components' | 'parameterFormat'>): boolean {
  const { slots, unfillable } = readTemplateParts(template);
  return slots.length === 0 && unfillable.length === 0;
}

/** The quick replies, among all buttons. Isomorphic. */
export const quickRepliesOf = (components: unknown): QuickReply[] =>
  (findPart(readParts(components), 'BUTTONS')?.buttons ?? []).flatMap(({ type, text }, index) =>
    type === 'QUICK_REPLY' ? [{ title: text, index }] : [],
  );

/** The template's own examples, by the keys of slots. Isomorphic. */
export function listExamples(components: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(examplesOf(readParts(components), ''));
}

const examplesOf = (parts: readonly StoredPart[], prefix: string): [string, string][] =>
  parts.flatMap((part): [string, string][] => {
    if (part.type === 'HEADER' || part.type === 'BODY')
      return listNames(part.text).flatMap((placeholder): [string, string][] => {
        const example = exampleOf(part, placeholder);
        const key = part.type === 'HEADER' ? 'header' : `body_${placeholder}`;
        return example === undefined ? [] : [[`${prefix}${key}`, example]];
      });
    if (part.type === 'BUTTONS')
      return part.buttons.flatMap(({ type, example }, index): [string, string][] =>
        type === 'COPY_CODE' && example !== '' ? [[`${prefix}button_${index}`, example]] : [],
      );
    return part.cards.flatMap(({ components }, card) =>
      examplesOf(readParts(components), `${prefix}card_${card}_`),
    );
  });
