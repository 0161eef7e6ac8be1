// `interactive` of `POST /{phone}/messages`, with the limits of the platform.
import * as z from 'zod';

const words = (most: number) =>
  z.string().min(1, 'must not be empty').max(most, `must be at most ${most} characters long`);
const media = z.strictObject({
  link: z.string().optional(),
  id: z.string().optional(),
  filename: z.string().optional(),
});
const textHeader = z.strictObject({ type: z.literal('text'), text: words(60) });
const header = z
  .discriminatedUnion('type', [
    textHeader,
    z.strictObject({ type: z.literal('image'), image: media }),
    z.strictObject({ type: z.literal('video'), video: media }),
    z.strictObject({ type: z.literal('document'), document: media }),
  ])
  .optional();
const footer = z.strictObject({ text: words(60) }).optional();
const body = (most = 1024) => z.strictObject({ text: words(most) });

const areUnique = (texts: string[]): boolean => new Set(texts).size === texts.length;

const buttons = z
  .array(
    z.strictObject({
      type: z.literal('reply'),
      reply: z.strictObject({ id: words(256), title: words(20) }),
    }),
  )
  .min(1, 'must have at least 1 button')
  .max(3, 'must have at most 3 buttons')
  .refine((list) => areUnique(list.map(({ reply }) => reply.id)), 'must have unique ids')
  .refine((list) => areUnique(list.map(({ reply }) => reply.title)), 'must have unique titles');

const row = z.strictObject({
  id: words(200),
  title: words(24),
  description: z.string().max(72, 'must be at most 72 characters long').optional(),
});
const sections = z
  .array(z.strictObject({ title: z.string().max(24).optional(), rows: z.array(row).min(1) }))
  .min(1, 'must have at least 1 section')
  .max(10, 'must have at most 10 sections')
  .refine(
    (list) => list.length === 1 || list.every(({ title }) => title),
    'must have a title in each section',
  )
  .refine((list) => list.flatMap(({ rows }) => rows).length <= 10, 'must have at most 10 rows')
  .refine(
    (list) => areUnique(list.flatMap(({ rows }) => rows.map(({ id }) => id))),
    'must have unique row ids',
  );

export const interactiveSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('button'),
    header,
    body: body(),
    footer,
    action: z.strictObject({ buttons }),
  }),
  z.strictObject({
    type: z.literal('list'),
    header: textHeader.optional(),
    body: body(4096),
    footer,
    action: z.strictObject({ button: words(20), sections }),
  }),
  z.strictObject({
    type: z.literal('cta_url'),
    header,
    body: body(),
    footer,
    action: z.strictObject({
      name: z.literal('cta_url'),
      parameters: z.strictObject({ display_text: words(20), url: z.url('must be a URL') }),
    }),
  }),
  z.strictObject({
    type: z.literal('location_request_message'),
    body: body(),
    action: z.strictObject({ name: z.literal('send_location') }),
  }),
  z.strictObject({
    type: z.literal('flow'),
    header,
    body: body(),
    footer,
    action: z.strictObject({
      name: z.literal('flow'),
      parameters: z
        .strictObject({
          flow_message_version: z.literal('3'),
          flow_id: z.string().optional(),
          flow_name: z.string().optional(),
          flow_cta: words(30),
          mode: z.enum(['draft', 'published']).optional(),
          flow_token: z.string().optional(),
          flow_action: z.enum(['navigate', 'data_exchange']).optional(),
          flow_action_payload: z
            .strictObject({ screen: z.string(), data: z.looseObject({}).optional() })
            .optional(),
        })
        .refine(
          ({ flow_id: id, flow_name: name }) => (id === undefined) !== (name === undefined),
          'must have either flow_id or flow_name',
        ),
    }),
  }),
  z.strictObject({
    type: z.literal('request_contact_info'),
    body: body(),
    action: z.strictObject({ name: z.literal('request_contact_info') }),
  }),
]);

export type InteractiveInput = z.infer<typeof interactiveSchema>;
