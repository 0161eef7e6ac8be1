import * as z from 'zod';
import { PRODUCT } from '../product.ts';
import { interactiveSchema } from './interactive-schema.ts';

const media = { link: z.string().optional(), id: z.string().optional() };
const caption = { caption: z.string().max(1024, 'must be at most 1024 characters long').optional() };

const textParameter = z.strictObject({
  type: z.literal('text'),
  text: z.string(),
  parameter_name: z.string().optional(),
});
const mediaReference = z.strictObject({ ...media, filename: z.string().optional() });

const parameterSchema = z.discriminatedUnion('type', [
  textParameter,
  z.strictObject({ type: z.literal('image'), image: mediaReference }),
  z.strictObject({ type: z.literal('video'), video: mediaReference }),
  z.strictObject({ type: z.literal('document'), document: mediaReference }),
  z.strictObject({ type: z.literal('payload'), payload: z.string() }),
  z.strictObject({ type: z.literal('coupon_code'), coupon_code: z.string().min(1).max(20) }),
  z.strictObject({
    type: z.literal('action'),
    action: z.strictObject({
      flow_token: z.string().optional(),
      flow_action_data: z.looseObject({}).optional(),
    }),
  }),
  z.strictObject({
    type: z.literal('currency'),
    currency: z.strictObject({ fallback_value: z.string(), code: z.string(), amount_1000: z.number() }),
  }),
  z.strictObject({ type: z.literal('date_time'), date_time: z.looseObject({ fallback_value: z.string() }) }),
]);

const lowerCase = z.string().transform((text) => text.toLowerCase());

const partSchema = z.strictObject({
  type: lowerCase.pipe(z.enum(['header', 'body', 'button'])),
  sub_type: lowerCase.pipe(z.enum(['quick_reply', 'url', 'copy_code', 'flow'])).optional(),
  index: z
    .union([z.string().regex(/^\d$/, 'must be a digit'), z.number().int().min(0).max(9)])
    .transform(String)
    .optional(),
  parameters: z.array(parameterSchema).optional(),
});

/** A carousel has a separate part for each card. */
const componentSchema = partSchema.extend({
  type: lowerCase.pipe(z.enum(['header', 'body', 'button', 'carousel'])),
  cards: z
    .array(z.strictObject({ card_index: z.number().int().min(0).max(9), components: z.array(partSchema) }))
    .optional(),
});

const templateSchema = z.strictObject({
  name: z.string().min(1, 'must not be empty'),
  language: z.strictObject({ code: z.string().min(1), policy: z.literal('deterministic').optional() }),
  components: z.array(componentSchema).optional(),
});

const envelope = {
  messaging_product: z.literal(PRODUCT),
  recipient_type: z.literal('individual').optional(),
  to: z.string().optional(),
  recipient: z.string().optional(),
  context: z.strictObject({ message_id: z.string() }).optional(),
  biz_opaque_callback_data: z.string().max(512).optional(),
};

/** A reaction belongs to its message: it cannot quote. */
const { context: _context, ...withoutContext } = envelope;

/** `POST /{phone}/messages` with a message, one schema per type. */
export const messageSchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...envelope,
    type: z.literal('text'),
    text: z.strictObject({
      body: z.string().min(1, 'must not be empty').max(4096, 'must be at most 4096 characters long'),
      preview_url: z.boolean().optional(),
    }),
  }),
  z.strictObject({ ...envelope, type: z.literal('template'), template: templateSchema }),
  z.strictObject({ ...envelope, type: z.literal('image'), image: z.strictObject({ ...media, ...caption }) }),
  z.strictObject({ ...envelope, type: z.literal('video'), video: z.strictObject({ ...media, ...caption }) }),
  z.strictObject({
    ...envelope,
    type: z.literal('audio'),
    audio: z.strictObject({ ...media, voice: z.boolean().optional() }),
  }),
  z.strictObject({
    ...envelope,
    type: z.literal('document'),
    document: z.strictObject({ ...media, ...caption, filename: z.string().max(240).optional() }),
  }),
  z.strictObject({ ...envelope, type: z.literal('sticker'), sticker: z.strictObject(media) }),
  z.strictObject({ ...envelope, type: z.literal('interactive'), interactive: interactiveSchema }),
  z.strictObject({
    ...envelope,
    type: z.literal('location'),
    location: z.strictObject({
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
      name: z.string().optional(),
      address: z.string().optional(),
    }),
  }),
  z.strictObject({
    ...envelope,
    type: z.literal('contacts'),
    contacts: z
      .array(
        z.looseObject({
          name: z
            .looseObject({ formatted_name: z.string().min(1) })
            .refine((name) => Object.keys(name).length > 1, 'must have a part beside formatted_name'),
          phones: z.array(z.looseObject({ phone: z.string().optional() })).optional(),
          emails: z.array(z.looseObject({ email: z.string().optional() })).optional(),
          org: z.looseObject({ company: z.string().optional() }).optional(),
        }),
      )
      .min(1),
  }),
  z.strictObject({
    ...withoutContext,
    type: z.literal('reaction'),
    reaction: z.strictObject({ message_id: z.string(), emoji: z.string() }),
  }),
]);

/** `POST /{phone}/messages` that marks an incoming message as read. */
export const markReadSchema = z.strictObject({
  messaging_product: z.literal(PRODUCT),
  status: z.literal('read'),
  message_id: z.string(),
  typing_indicator: z.strictObject({ type: z.literal('text') }).optional(),
});

export type MessageInput = z.infer<typeof messageSchema>;
export type TemplateInput = z.infer<typeof templateSchema>;
export type ComponentInput = z.infer<typeof componentSchema>;
export type ParameterInput = z.infer<typeof parameterSchema>;
