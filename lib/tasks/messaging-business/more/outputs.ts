import * as z from 'zod';
import { acceptanceOutputs } from '../delivery/acceptance.ts';
import { deliveryOutputs } from '../delivery/settings.ts';
import { ACTIONS } from './actions.ts';

const only = (output: z.ZodType, title: string, description: string) =>
  output.optional().meta({ title, description });

export const outputs = z.object({
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
  success: only(z.boolean(), 'Success', 'show_typing.'),
  url: only(z.string(), 'URL', 'get_media: a link to the file, for whoever has it, until expires_at.'),
  expires_at: only(z.string(), 'Expires at', 'get_media: when the link ends, ISO 8601.'),
  mime_type: only(z.string(), 'MIME type', 'get_media: such as image/jpeg.'),
  size: only(z.number(), 'Size', 'get_media: in bytes.'),
  sha256: only(z.string(), 'SHA-256', 'get_media: of the file, in hexadecimal.'),
  filename: only(z.string(), 'File name', 'get_media: under which the link saves the file.'),
  note: only(z.string(), 'Note', 'What was changed in the fields before sending, if anything.'),
});
