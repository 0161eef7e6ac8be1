// Input of `POST /{waba}/message_templates` and `POST /{template}`.
import * as z from 'zod';

const example = z.union([z.array(z.string()), z.string()]).optional();
const namedExamples = z.array(z.strictObject({ param_name: z.string(), example: z.string() })).optional();

const button = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.enum(['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'FLOW']),
    text: z.string(),
    url: z.string().max(2000).optional(),
    phone_number: z.string().optional(),
    flow_id: z.string().optional(),
    flow_action: z.enum(['navigate', 'data_exchange']).optional(),
    navigate_screen: z.string().optional(),
    example,
  }),
  z.strictObject({ type: z.literal('COPY_CODE'), text: z.string().default('Copy offer code'), example }),
]);

const parts = [
  z.strictObject({
    type: z.literal('HEADER'),
    format: z.enum(['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT']),
    text: z.string().optional(),
    example: z
      .strictObject({
        header_text: z.array(z.string()).optional(),
        header_text_named_params: namedExamples,
        header_handle: z.array(z.string()).optional(),
      })
      .optional(),
  }),
  z.strictObject({
    type: z.literal('BODY'),
    text: z.string(),
    example: z
      .strictObject({
        body_text: z.array(z.array(z.string())).optional(),
        body_text_named_params: namedExamples,
      })
      .optional(),
  }),
  z.strictObject({ type: z.literal('FOOTER'), text: z.string() }),
  z.strictObject({ type: z.literal('BUTTONS'), buttons: z.array(button) }),
] as const;

const component = z.discriminatedUnion('type', [
  ...parts,
  z.strictObject({
    type: z.literal('CAROUSEL'),
    cards: z.array(z.strictObject({ components: z.array(z.discriminatedUnion('type', parts)) })),
  }),
]);

const envelope = {
  name: z.string().min(1, 'must not be empty').max(512, 'must be at most 512 characters long'),
  language: z.string().regex(/^[a-z]{2,3}(_[A-Z]{2,3})?$/, 'must be a language code such as en_US'),
  allow_category_change: z.boolean().optional(),
  parameter_format: z.enum(['POSITIONAL', 'positional', 'NAMED', 'named']).optional(),
};

const category = z.enum(['MARKETING', 'UTILITY', 'AUTHENTICATION']);

export const createSchema = z.strictObject({ ...envelope, category, components: z.array(component) });
export type CreateInput = z.infer<typeof createSchema>;

export const editSchema = z.strictObject({ category: category.optional(), components: z.array(component) });

/** Options of an authentication template: parts of the platform's text, and the button. */
export const presetSchema = z.strictObject({
  ...envelope,
  category,
  components: z.array(
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('BODY'), add_security_recommendation: z.boolean().optional() }),
      z.strictObject({
        type: z.literal('FOOTER'),
        code_expiration_minutes: z.number().int().min(1).max(90).optional(),
      }),
      z.strictObject({
        type: z.literal('BUTTONS'),
        buttons: z
          .array(
            z.strictObject({
              type: z.literal('OTP'),
              otp_type: z.enum(['COPY_CODE', 'ONE_TAP', 'ZERO_TAP']),
              text: z.string().max(25).optional(),
              autofill_text: z.string().max(25).optional(),
              zero_tap_terms_accepted: z.boolean().optional(),
              supported_apps: z.array(z.looseObject({})).optional(),
            }),
          )
          .length(1),
      }),
    ]),
  ),
});
export const editPresetSchema = presetSchema.pick({ components: true });
export type PresetComponent = z.infer<typeof presetSchema>['components'][number];
