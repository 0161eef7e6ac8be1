import * as z from 'zod';
import { readRecipient } from '#lib/messaging/sending/recipient.ts';
import {
  acceptanceOutputs,
  deliveryOutputs,
  stoppedOutputs,
  authorSetting,
  deliverySettings,
  findDeliveryProblem,
} from '#lib/tasks/messaging-business/delivery/settings.ts';
import { findWebpPictures } from '#lib/tasks/messaging-business/find-webp-pictures.ts';
import { hasVariables, isMissing, numberSetting, variableText } from '#lib/tasks/setting-values.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import { EXAMPLE_CONNECTION, type TaskExample } from '#lib/tasks/task-example.ts';
import { type Action, ACTION_LABELS, ACTIONS, isSend, isTracked, QUOTING, SENDS } from './actions.ts';
import { moreKind } from './kind.ts';
import { findMessageProblems } from './rules.ts';
import { readValues } from './values.ts';

const only = (output: z.ZodType, title: string, description: string) =>
  output.optional().meta({ title, description });

const outputs = z.object({
  action: z.enum(ACTIONS).meta({ title: 'Action', description: 'The action name.' }),
  message_id: only(z.string(), 'Message ID', 'Assigned by the platform, of everything that is sent.'),
  ...acceptanceOutputs,
  recipient: only(z.string(), 'Recipient', 'Digits of the number with its country code, or a user ID.'),
  status: only(
    z.string(),
    'Status',
    'Of a send that waited: accepted, sent, delivered, read, played or failed.',
  ),
  ...deliveryOutputs,
  ...stoppedOutputs,
  success: only(z.boolean(), 'Success', 'show_typing.'),
  url: only(z.string(), 'URL', 'get_media: a link to the file, for whoever has it, until expires_at.'),
  expires_at: only(z.string(), 'Expires at', 'get_media: when the link ends, ISO 8601.'),
  mime_type: only(z.string(), 'MIME type', 'get_media: such as image/jpeg.'),
  size: only(z.number(), 'Size', 'get_media: in bytes.'),
  sha256: only(z.string(), 'SHA-256', 'get_media: of the file, in hexadecimal.'),
  filename: only(z.string(), 'File name', 'get_media: under which the link saves the file.'),
  note: only(z.string(), 'Note', 'What was changed in the fields before sending, if anything.'),
});

const text = (meta: z.GlobalMeta & { title: string }) =>
  variableText()
    .default('')
    .meta({ variables: true, ...meta });

const forActions = (...is: Action[]) => ({ visibleWhen: { field: 'action', is } });

const coordinate = (title: string, placeholder: string) =>
  numberSetting()
    .default('')
    .meta({ title, placeholder, variables: true, ...forActions('send_location') });

const id = (description: string) => text({ title: 'ID', description });

const button = z.strictObject({
  title: text({ title: 'Label' }),
  id: id('Comes back when it is tapped. Left empty: the label.'),
});

const row = z.strictObject({
  title: text({ title: 'Label' }),
  description: text({ title: 'Description' }),
  section: text({ title: 'Section', description: 'Rows of the same section stand together.' }),
  id: id('Comes back when it is tapped. Left empty: the label.'),
});

const contact = z.strictObject({
  name: text({ title: 'Name' }),
  phones: text({ title: 'Phone numbers', description: 'Separated by commas.' }),
  emails: text({ title: 'Email addresses', description: 'Separated by commas.' }),
  organization: text({ title: 'Organization' }),
});

const settings = z
  .strictObject({
    action: z.enum(ACTIONS).default('send_buttons').meta({ title: 'Action', labels: ACTION_LABELS }),
    app_connection_id: text({ title: 'App connection', picks: { from: 'connection' } }),
    phone_number_id: text({
      title: 'Sender',
      description: 'The phone number ID, not the phone number.',
      picks: { from: 'phone_number' },
      ...forActions(...SENDS, 'show_typing'),
    }),
    recipient: text({
      title: 'Recipient',
      description: 'With country code, for example +1 555 010 1002; or a customer’s user ID.',
      placeholder: '{{task_1_phone}}',
      ...forActions(...SENDS),
    }),
    message_text: text({
      title: 'Text',
      description: 'The customer must have written in the last 24 hours.',
      widget: 'multiline',
      ...forActions('send_buttons', 'send_list', 'send_cta_url', 'send_reply', 'request_location'),
    }),
    header_type: z
      .enum(['none', 'text', 'image', 'video', 'document'])
      .default('none')
      .meta({
        title: 'Header',
        labels: { none: 'None', text: 'Text', image: 'Image', video: 'Video', document: 'Document' },
        ...forActions('send_buttons', 'send_list', 'send_cta_url'),
      }),
    header_value: text({
      title: 'Header value',
      description: 'The text of the header, or the public URL or the media ID of its file.',
      visibleWhen: { field: 'header_type', is: ['text', 'image', 'video', 'document'] },
    }),
    buttons: z
      .array(button)
      .max(10)
      .default([])
      .meta({
        title: 'Buttons',
        description: 'Up to three.',
        widget: 'list',
        ...forActions('send_buttons'),
      }),
    list_button: text({ title: 'Label of the list', placeholder: 'Choose', ...forActions('send_list') }),
    rows: z
      .array(row)
      .max(100)
      .default([])
      .meta({ title: 'Rows', description: 'Up to ten.', widget: 'list', ...forActions('send_list') }),
    footer: text({ title: 'Footer', ...forActions('send_buttons', 'send_list', 'send_cta_url') }),
    button_text: text({ title: 'Label of the button', ...forActions('send_cta_url') }),
    button_url: text({
      title: 'URL of the button',
      description: 'Taps on it are not reported.',
      widget: 'url',
      ...forActions('send_cta_url'),
    }),
    latitude: coordinate('Latitude', '52.5163'),
    longitude: coordinate('Longitude', '13.3777'),
    location_name: text({ title: 'Name of the place', ...forActions('send_location') }),
    location_address: text({ title: 'Address', ...forActions('send_location') }),
    contacts: z
      .array(contact)
      .max(100)
      .default([])
      .meta({ title: 'Contacts', widget: 'list', ...forActions('send_contacts') }),
    media_url: text({
      title: 'Media URL',
      description: 'The public URL of a WebP file, 100 KB at most, animated 500 KB. Or enter a media ID.',
      widget: 'url',
      ...forActions('send_sticker'),
    }),
    media_id: text({
      title: 'Media ID',
      description: 'Of an uploaded sticker, or of the file that the customer sent.',
      placeholder: '{{task_1_media_id}}',
      ...forActions('send_sticker', 'get_media'),
    }),
    filename: text({
      title: 'File name',
      description: 'Under which the link saves the file. Left empty: named after its media ID.',
      ...forActions('get_media'),
    }),
    message_id: text({
      title: 'Message ID',
      description: 'Of the customer’s message.',
      placeholder: '{{task_1_message_id}}',
      ...forActions('send_reaction', 'show_typing'),
    }),
    emoji: text({
      title: 'Emoji',
      description: 'Left empty: the reaction is removed.',
      placeholder: '👍',
      ...forActions('send_reaction'),
    }),
    reply_to: text({
      title: 'Reply to',
      description: 'The ID of a message of this conversation, which is quoted.',
      placeholder: '{{task_1_message_id}}',
      ...forActions(...QUOTING),
    }),
    ...authorSetting(forActions(...SENDS)),
    ...deliverySettings(forActions(...QUOTING)),
  })
  .check(({ value, issues }) => {
    const report = (path: readonly (string | number)[], message: string): void => {
      const input = path.reduce<unknown>(
        (found, key) => (found as Record<PropertyKey, unknown> | undefined)?.[key],
        value,
      );
      issues.push({ code: 'custom', path: [...path], message, input });
    };
    const { action, recipient } = value;
    if (isMissing(value.app_connection_id)) report(['app_connection_id'], 'No app connection selected');
    if (action !== 'get_media' && isMissing(value.phone_number_id))
      report(['phone_number_id'], 'Select the sender’s number.');
    if (isSend(action)) {
      if (isMissing(recipient)) report(['recipient'], 'Enter a recipient.');
      else if (!hasVariables(recipient)) {
        const { problem } = readRecipient(recipient.trim());
        if (problem !== undefined) report(['recipient'], problem);
      }
    }
    const wait = isTracked(value) ? findDeliveryProblem(value) : undefined;
    if (wait !== undefined) report(['wait_amount'], wait);
    const values = readValues(value, (setting) => setting as string | number);
    for (const { path, message } of findMessageProblems(action, values, (known) => !hasVariables(known)))
      report(path, message);
  });

export type MoreSettings = z.output<typeof settings>;

/** Actions besides the seven of the specification (docs/messaging.md, "What can be sent"). */
export const messagingBusinessMore = {
  ...moreKind,
  settings,
  warningCheck: findWebpPictures,
  outputs,
} satisfies TaskDefinition;

export const moreExample: TaskExample = {
  says: 'Sends a location to a customer who has written.',
  event: { from: '15550103003' },
  settings: {
    action: 'send_location',
    app_connection_id: EXAMPLE_CONNECTION,
    phone_number_id: '300000000000001',
    recipient: '{{task_1_from}}',
    latitude: '53.5436',
    longitude: '9.9669',
    location_name: 'Harbour Street Books',
  },
  output: { action: 'send_location', message_id: '…', recipient: '15550103003' },
};
