import * as z from 'zod';
import { CATEGORIES } from '#lib/messaging/message-templates/schema/components.ts';
import { hasVariables, numberSetting, variableText } from '#lib/tasks/setting-values.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import { EXAMPLE_CONNECTION, type TaskExample } from '#lib/tasks/task-example.ts';
import { type Action, ACTION_LABELS, ACTIONS, SENDS } from './actions.ts';
import { readSentConversation } from './conversation.ts';
import {
  acceptanceOutputs,
  authorSetting,
  deliveryOutputs,
  deliverySettings,
  stoppedOutputs,
} from './delivery/settings.ts';
import { findProblems } from './find-problems.ts';
import { MEDIA_TYPES, STATUS_FILTERS } from './rules.ts';
import {
  BUTTON_HELP,
  PARAMETERS_HELP,
  templateParameters,
  templateValues,
  VALUES_HELP,
} from './template-settings.ts';
import { templateProblems } from './template-problems.ts';
import { findWebpPictures } from './find-webp-pictures.ts';
import { messagingBusinessKind } from './kind.ts';

type Meta = z.GlobalMeta & { title: string };

const forActions = (...is: Action[]) => ({ variables: true, visibleWhen: { field: 'action', is } });
const TEMPLATE_SENDERS: Action[] = ['send_template'];

const text = (meta: Meta) => variableText().optional().meta(meta);

/** One of several values, or a variable with one. */
const choice = <const Choice extends string>(choices: readonly [Choice, ...Choice[]], meta: Meta) =>
  z
    .union([z.enum(choices), z.literal(''), variableText().refine(hasVariables)], {
      error: `Choose ${choices.join(', ')}, or use a variable.`,
    })
    .optional()
    .meta({ widget: 'select', ...meta });

const json = (meta: Meta) =>
  z
    .union([variableText(), z.array(z.unknown())])
    .optional()
    .meta({ widget: 'code', ...meta });

const settings = z
  .strictObject({
    action: z.enum(ACTIONS).default('send_template').meta({ title: 'Action', labels: ACTION_LABELS }),
    app_connection_id: text({
      title: 'App connection',
      description: 'The OAuth connection to the platform; its id can come from a variable.',
      variables: true,
      picks: { from: 'connection' },
    }),
    business_account_id: text({
      title: 'Business account',
      description: 'Its id (WABA).',
      picks: { from: 'business_account' },
      ...forActions('send_template', 'create_template', 'get_templates'),
    }),
    phone_number_id: text({
      title: 'Sender',
      description: 'The phone number ID, not the phone number.',
      picks: { from: 'phone_number' },
      ...forActions(...SENDS, 'mark_as_read'),
    }),
    recipient: text({
      title: 'Recipient',
      description: 'With country code, for example +1 555 010 1002; or a customer’s user ID.',
      placeholder: '{{task_1_phone}}',
      ...forActions(...SENDS),
    }),
    template_name: text({
      title: 'Template name',
      description:
        'To send: the name of an approved template, its case matters. To create: lowercase letters and underscores only, unique.',
      picks: { from: 'message_template', unless: { field: 'action', is: ['create_template'] } },
      ...forActions('send_template', 'create_template'),
    }),
    template_language: variableText()
      .default('en_US')
      .meta({
        title: 'Template language',
        languageOf: 'template_name',
        description: 'A language code.',
        placeholder: 'en_US',
        ...forActions('send_template', 'create_template'),
      }),
    template_parameters: templateParameters()
      .optional()
      .meta({
        title: 'Template parameters',
        description: PARAMETERS_HELP,
        placeholder: '["{{task_1_name}}", "{{task_1_order_id}}"]',
        widget: 'code',
        ...forActions(...TEMPLATE_SENDERS),
      }),
    header_type: choice(['text', 'image', 'video', 'document'], {
      title: 'Header type',
      description: 'What the template’s header needs, if anything.',
      ...forActions(...TEMPLATE_SENDERS),
    }),
    header_value: text({
      title: 'Header value',
      description: "The text for the header's {{1}}, or the public URL or the media id of its file.",
      ...forActions(...TEMPLATE_SENDERS),
    }),
    button_parameter: text({
      title: 'Button parameter',
      description: BUTTON_HELP,
      ...forActions(...TEMPLATE_SENDERS),
    }),
    button_index: numberSetting()
      .default(0)
      .meta({
        title: 'Button index',
        description: 'Index of that button, starting at 0.',
        widget: 'number',
        ...forActions(...TEMPLATE_SENDERS),
      }),
    template_values: templateValues()
      .optional()
      .meta({
        title: 'Template values',
        description: VALUES_HELP,
        placeholder: '{"card_0_header": "https://…", "card_0_body_1": "{{task_1_price}}"}',
        widget: 'code',
        ...forActions(...TEMPLATE_SENDERS),
      }),
    template_category: choice(CATEGORIES, { title: 'Template category', ...forActions('create_template') }),
    template_components: json({
      title: 'Template components',
      description:
        'A JSON array with a BODY and, where wanted, HEADER, FOOTER and BUTTONS. {{1}}, {{2}} are the placeholders of the template.',
      placeholder:
        '[{"type": "BODY", "text": "Hi {{1}}, your order is on its way.", "example": {"body_text": [["Guest"]]}}]',
      keepPlaceholders: true,
      ...forActions('create_template'),
    }),
    status_filter: choice(STATUS_FILTERS, { title: 'Status', ...forActions('get_templates') }),
    limit: numberSetting()
      .default(100)
      .meta({
        title: 'Limit',
        description: 'Maximum number of templates.',
        widget: 'number',
        ...forActions('get_templates'),
      }),
    message_text: text({ title: 'Text', widget: 'multiline', ...forActions('send_text') }),
    preview_url: z
      .union([z.boolean(), variableText()])
      .default(false)
      .meta({
        title: 'Link preview',
        description: 'Shows a preview of a link in the text.',
        widget: 'toggle',
        ...forActions('send_text'),
      }),
    fallback_template_name: text({
      title: 'Fallback template',
      description:
        'An approved template to send instead when the customer has not written in the last 24 hours.',
      picks: { from: 'message_template' },
      ...forActions('send_text'),
    }),
    fallback_template_language: variableText()
      .default('en_US')
      .meta({
        title: 'Fallback language',
        languageOf: 'fallback_template_name',
        placeholder: 'en_US',
        ...forActions('send_text'),
      }),
    fallback_template_parameters: templateParameters()
      .optional()
      .meta({
        title: 'Fallback parameters',
        description: 'As of a template that is sent.',
        widget: 'code',
        ...forActions('send_text'),
      }),
    media_type: choice(MEDIA_TYPES, { title: 'Media type', ...forActions('send_media') }),
    media_url: text({
      title: 'Media URL',
      description: 'A public URL that needs no sign-in; HTTPS is strongly recommended. Or enter a media ID.',
      widget: 'url',
      ...forActions('send_media'),
    }),
    media_id: text({
      title: 'Media id',
      description: 'ID of an uploaded file. Or enter a media URL.',
      ...forActions('send_media'),
    }),
    caption: text({
      title: 'Caption',
      description: 'Image, video and document only.',
      widget: 'multiline',
      ...forActions('send_media'),
    }),
    filename: text({
      title: 'File name',
      description: 'Document only.',
      placeholder: 'invoice.pdf',
      ...forActions('send_media'),
    }),
    message_id: text({
      title: 'Message id',
      description: 'Of a message that was sent, or of the incoming message that is marked as read.',
      placeholder: '{{task_2_message_id}}',
      ...forActions('get_message_status', 'mark_as_read'),
    }),
    ...authorSetting({ visibleWhen: { field: 'action', is: SENDS } }),
    ...deliverySettings({ visibleWhen: { field: 'action', is: SENDS } }),
  })
  .check(({ value, issues }) => {
    for (const { path, message } of findProblems(value)) {
      issues.push({ code: 'custom', input: (value as Record<string, unknown>)[path], path: [path], message });
    }
  });

export type MessagingBusinessSettings = z.output<typeof settings>;

const only = (output: z.ZodType, title: string, description: string) =>
  output.optional().meta({ title, description });

/** Seven actions on the messaging platform (spec: Messaging Business Task). */
export const messagingBusiness = {
  ...messagingBusinessKind,
  settings,
  warningCheck: findWebpPictures,
  templateProblems,
  conversation: readSentConversation,
  outputs: z.object({
    action: z.enum(ACTIONS).meta({ title: 'Action', description: 'The action name.' }),
    message_id: only(
      z.string(),
      'Message id',
      'Assigned by the platform (send_template, send_text, send_media).',
    ),
    ...acceptanceOutputs,
    recipient: only(z.string(), 'Recipient', 'Digits of the number with its country code, or a user ID.'),
    template_name: only(
      z.string(),
      'Template name',
      'send_template, create_template, and send_text that fell back to a template.',
    ),
    sent: only(
      z.enum(['text', 'template']),
      'Sent',
      'send_text: whether the text or its fallback template was sent.',
    ),
    media_type: only(z.enum(MEDIA_TYPES), 'Media type', 'send_media.'),
    template_id: only(z.string(), 'Template id', 'create_template.'),
    status: only(
      z.string(),
      'Status',
      'create_template: PENDING. Of a send that waited: accepted, sent, delivered, read, played or failed.',
    ),
    category: only(
      z.string(),
      'Category',
      'create_template: the category that the platform chose, where it is not the one that was asked for.',
    ),
    templates: only(
      z.array(z.unknown()),
      'Templates',
      'get_templates: name, status, category, language, id, components of each.',
    ),
    count: only(z.number(), 'Count', 'get_templates: how many were returned.'),
    data: only(
      z.object({ status: z.string(), timestamp: z.number(), errors: z.array(z.unknown()).optional() }),
      'Data',
      'get_message_status: status, timestamp (Unix seconds), and errors when it failed.',
    ),
    success: only(z.boolean(), 'Success', 'mark_as_read.'),
    ...deliveryOutputs,
    ...stoppedOutputs,
    note: only(
      z.string(),
      'Note',
      'What was changed in the fields before sending, or by the platform, if anything.',
    ),
  }),
} satisfies TaskDefinition;

export const messagingBusinessExample: TaskExample = {
  says: 'Sends an approved message template with two parameters.',
  event: { customer: { name: 'Kim', phone: '15550103001' }, order: { number: 'A-1001' } },
  settings: {
    action: 'send_template',
    app_connection_id: EXAMPLE_CONNECTION,
    business_account_id: '200000000000001',
    phone_number_id: '300000000000001',
    recipient: '{{task_1_customer_phone}}',
    template_name: 'order_confirmation',
    template_language: 'en_US',
    template_parameters: ['{{task_1_customer_name}}', '{{task_1_order_number}}'],
  },
  output: {
    action: 'send_template',
    message_id: '…',
    recipient: '15550103001',
    template_name: 'order_confirmation',
  },
};
