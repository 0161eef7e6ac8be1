// The parts of a message template (spec, create_template, "Component objects"). Isomorphic: used by editor, API and task.
import * as z from 'zod';

export const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const;
/** Whether placeholders are `{{1}}`, `{{2}}` or `{{first_name}}`. */
export const PARAMETER_FORMATS = ['POSITIONAL', 'NAMED'] as const;
export type ParameterFormat = (typeof PARAMETER_FORMATS)[number];
const BUTTON_TYPES = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER'] as const;
const MEDIA_FORMATS = ['IMAGE', 'VIDEO', 'DOCUMENT'] as const;

/** Spec, Limits, and the platform's own; in characters unless noted. */
export const TEMPLATE_LIMITS = {
  name: 512,
  body: 1024,
  header: 60,
  footer: 60,
  buttonText: 25,
  buttons: 3,
  url: 2000,
};

const namedExamples = z.array(z.strictObject({ param_name: z.string(), example: z.string() })).optional();

const header = z.strictObject({
  type: z.literal('HEADER'),
  format: z.enum(['TEXT', ...MEDIA_FORMATS]),
  text: z.string().optional(),
  example: z
    .looseObject({
      header_text: z.array(z.string()).optional(),
      header_text_named_params: namedExamples,
      header_handle: z.array(z.string()).optional(),
    })
    .optional(),
});

const body = z.strictObject({
  type: z.literal('BODY'),
  text: z.string(),
  example: z
    .looseObject({
      body_text: z.array(z.array(z.string())).optional(),
      body_text_named_params: namedExamples,
    })
    .optional(),
});

const footer = z.strictObject({ type: z.literal('FOOTER'), text: z.string() });

const button = z.strictObject({
  type: z.enum(BUTTON_TYPES),
  text: z.string(),
  url: z.string().optional(),
  phone_number: z.string().optional(),
  example: z.union([z.array(z.string()), z.string()]).optional(),
});

const buttons = z.strictObject({ type: z.literal('BUTTONS'), buttons: z.array(button) });

export const componentSchema = z.discriminatedUnion('type', [header, body, footer, buttons]);

export type TemplateComponent = z.infer<typeof componentSchema>;
export type TemplateButton = z.infer<typeof button>;
export type ComponentOf<Type extends TemplateComponent['type']> = Extract<TemplateComponent, { type: Type }>;
