// The fields of a question that is a message template: those of send_template, and its quick replies.
import * as z from 'zod';
import { numberSetting, variableText } from '#lib/tasks/setting-values.ts';
import {
  BUTTON_HELP,
  PARAMETERS_HELP,
  templateParameters,
  templateValues,
  VALUES_HELP,
} from '#lib/tasks/messaging-business/template-settings.ts';

/** Buttons of a template that the platform allows to be quick replies. */
const MAX_QUICK_REPLIES = 10;

const forTemplate = { variables: true, visibleWhen: { field: 'answer_by', is: ['template'] } };
const text = (meta: z.GlobalMeta & { title: string }) =>
  variableText()
    .default('')
    .meta({ ...forTemplate, ...meta });

/** Shown where the question is a message template; named as in send_template. */
export const templateFields = {
  template_name: text({
    title: 'Message template',
    description: 'An approved template with quick reply buttons. It can be sent at any time.',
    picks: { from: 'message_template' },
  }),
  template_language: variableText()
    .default('en_US')
    .meta({
      ...forTemplate,
      title: 'Template language',
      languageOf: 'template_name',
      description: 'A language code.',
      placeholder: 'en_US',
    }),
  template_parameters: templateParameters()
    .default('')
    .meta({
      ...forTemplate,
      title: 'Template parameters',
      description: PARAMETERS_HELP,
      placeholder: '["{{task_1_name}}", "{{task_1_day}}"]',
      widget: 'code',
    }),
  header_type: z.enum(['text', 'image', 'video', 'document']).default('text').meta({
    title: 'Header type',
    description: 'What the template’s header needs, if anything.',
    visibleWhen: forTemplate.visibleWhen,
  }),
  header_value: text({
    title: 'Header value',
    description: "The text for the header's {{1}}, or the public URL or the media ID of its file.",
  }),
  button_parameter: text({ title: 'Button parameter', description: BUTTON_HELP }),
  button_index: numberSetting()
    .default(0)
    .meta({
      ...forTemplate,
      title: 'Button index',
      description: 'Index of that button, starting at 0.',
      widget: 'number',
    }),
  template_values: templateValues()
    .default('')
    .meta({
      ...forTemplate,
      title: 'Template values',
      description: VALUES_HELP,
      placeholder: '{"button_1": "{{task_1_order_id}}"}',
      widget: 'code',
    }),
  quick_replies: z
    .array(
      z.strictObject({
        title: variableText().default('').meta({ title: 'Label' }),
        index: z
          .number()
          .int()
          .min(0)
          .max(MAX_QUICK_REPLIES - 1)
          .default(0)
          .meta({ title: 'Index', description: 'Among all buttons of the template, starting at 0.' }),
      }),
    )
    .max(MAX_QUICK_REPLIES, `At most ${MAX_QUICK_REPLIES} quick replies are possible.`)
    .default([])
    .meta({
      title: 'Quick replies',
      description: 'The quick reply buttons of the template, as it has them. Each has its own exit.',
      widget: 'list',
      quickRepliesOf: 'template_name',
      visibleWhen: forTemplate.visibleWhen,
    }),
};
