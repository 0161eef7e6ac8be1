// The fields of a question that is a message template: those of send_template, and what its quick replies say.
import * as z from 'zod';
import { numberSetting, variableText } from '#lib/tasks/setting-values.ts';

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
  template_parameters: z
    .union([variableText(), z.array(z.unknown())])
    .default('')
    .meta({
      ...forTemplate,
      title: 'Template parameters',
      description:
        'A JSON array of strings: the first replaces {{1}} of the template, the second {{2}}, and so on.',
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
  button_parameter: text({ title: 'Button parameter', description: 'Value for {{1}} in the button URL.' }),
  button_index: numberSetting()
    .default(0)
    .meta({
      ...forTemplate,
      title: 'Button index',
      description: 'Index of that button, starting at 0.',
      widget: 'number',
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
