import type { ParameterFormat, Template, TemplateComponent } from '../model.ts';

/** A template before it belongs to an account. */
export type TemplateSeed = Pick<Template, 'name' | 'language' | 'category' | 'status' | 'components'> & {
  rejectedReason?: string;
  parameterFormat?: ParameterFormat;
};

/** A body; `examples` are the values of {{1}}, {{2}}, … */
export function body(text: string, ...examples: string[]): TemplateComponent {
  return { type: 'BODY', text, ...(examples.length > 0 ? { example: { body_text: [examples] } } : {}) };
}
