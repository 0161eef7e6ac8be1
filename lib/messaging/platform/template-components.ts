// The components of a template message, built from the values of its slots (`TemplateSlot`).
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import type { FilledSlot, TemplateSlot } from './template-slot-types.ts';
import { toMediaSource } from './message-parts.ts';

/** The payload of a tapped quick reply; the button's label by default. */
export interface QuickReplyPayload {
  /** Place of the button in the template, from 0, counted over all its buttons. */
  index: number;
  payload: string;
}

/** Header, body, buttons and cards in the platform's order. @param values as for `readSlotValue` */
export function toTemplateComponents(
  values: readonly FilledSlot[],
  quickReplies: readonly QuickReplyPayload[] = [],
): JsonObject[] {
  const cards = Map.groupBy(values, ({ slot }) => slot.card);
  const own = cards.get(undefined) ?? [];
  cards.delete(undefined);
  return [
    ...toParts(own),
    ...quickReplies.map(({ index, payload }) => toButton('quick_reply', index, { type: 'payload', payload })),
    ...(cards.size === 0
      ? []
      : [
          {
            type: 'carousel',
            cards: [...cards]
              .sort(([a = 0], [b = 0]) => a - b)
              .map(([card = 0, ofCard]) => ({ card_index: card, components: toParts(ofCard) })),
          },
        ]),
  ];
}

function toParts(values: readonly FilledSlot[]): JsonObject[] {
  const of = (place: TemplateSlot['in']): FilledSlot[] => values.filter(({ slot }) => slot.in === place);
  const header = toHeader(of('header'));
  const body = of('body');
  const [offer] = of('limited_time_offer');
  return [
    ...(header ? [{ type: 'header', parameters: [header] }] : []),
    ...(body.length > 0 ? [{ type: 'body', parameters: body.map(toText) }] : []),
    ...(offer ? [toOffer(offer)] : []),
    ...[...Map.groupBy(of('button'), ({ slot }) => slot.index ?? 0)].map(toValueButton),
  ];
}

const toText = ({ slot, value }: FilledSlot): JsonObject => ({
  type: 'text',
  ...(slot.isNamed && slot.placeholder !== undefined ? { parameter_name: slot.placeholder } : {}),
  text: value,
});

function toHeader(values: readonly FilledSlot[]): JsonObject | undefined {
  const [first] = values;
  if (!first) return undefined;
  const { takes } = first.slot;
  if (takes === 'text') return toText(first);
  if (takes === 'image' || takes === 'video' || takes === 'document')
    return { type: takes, [takes]: { ...toMediaSource(first.value) } };
  const valueOf = (kind: TemplateSlot['takes']): string =>
    values.find(({ slot }) => slot.takes === kind)?.value ?? '';
  return {
    type: 'location',
    location: {
      latitude: Number(valueOf('latitude')),
      longitude: Number(valueOf('longitude')),
      name: valueOf('place_name'),
      address: valueOf('place_address'),
    },
  };
}

const toOffer = ({ value }: FilledSlot): JsonObject => ({
  type: 'limited_time_offer',
  parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: Date.parse(value) } }],
});

/** Both values of a flow are in one action, which is required without them, too. */
function toValueButton([index, values]: [number, FilledSlot[]]): JsonObject {
  const [first] = values;
  if (first?.slot.takes === 'coupon_code')
    return toButton('copy_code', index, { type: 'coupon_code', coupon_code: first.value });
  if (first?.slot.takes === 'text') return toButton('url', index, { type: 'text', text: first.value });
  const action: JsonObject = {};
  for (const { slot, value } of values) {
    if (value === '') continue;
    if (slot.takes === 'flow_token') action['flow_token'] = value;
    else action['flow_action_data'] = readData(value);
  }
  return toButton('flow', index, { type: 'action', action });
}

function readData(value: string): JsonValue {
  const data = parseJson(value);
  return isJsonObject(data) ? data : {};
}

const toButton = (subType: string, index: number, parameter: JsonObject): JsonObject => ({
  type: 'button',
  sub_type: subType,
  index: String(index),
  parameters: [parameter],
});
