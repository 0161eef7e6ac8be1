import * as z from 'zod';
import { PARAMETER_FORMATS } from './schema/components.ts';

export const messageTemplateSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    status: z
      .string()
      .meta({ description: 'APPROVED, PENDING, REJECTED, DISABLED, or another status of the platform.' }),
    category: z.string(),
    requested_category: z.string().nullable().meta({
      description:
        'The category that was requested when it was created here; null: it was created elsewhere.',
    }),
    language: z.string(),
    components: z.array(z.unknown()),
    parameter_format: z
      .string()
      .nullable()
      .meta({ description: 'POSITIONAL or NAMED; null: unknown, because the platform did not return it.' }),
    previous_category: z
      .string()
      .nullable()
      .meta({ description: 'The category before the platform changed it; null: it did not.' }),
    correct_category: z
      .string()
      .nullable()
      .meta({ description: 'The category that the platform will change it to; null: it will not.' }),
  })
  .meta({ id: 'MessageTemplate' });

export const newMessageTemplateSchema = z
  .strictObject({
    business_account_id: z
      .string()
      .max(100)
      .optional()
      .meta({ description: "Defaults to the connection's business account." }),
    name: z.string().max(1000),
    language: z.string().max(20).default('en_US'),
    category: z.string().max(50),
    components: z.array(z.unknown()).max(20),
    parameter_format: z
      .enum(PARAMETER_FORMATS)
      .optional()
      .meta({ description: 'Whether placeholders are {{1}}, {{2}} or {{first_name}}. Default: POSITIONAL.' }),
  })
  .meta({ id: 'NewMessageTemplate' });

export const changedTemplateSchema = newMessageTemplateSchema
  .pick({ components: true, parameter_format: true })
  .meta({ id: 'ChangedMessageTemplate' });

export const createdTemplateSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    status: z.string(),
    category: z
      .string()
      .meta({ description: 'As the platform chose it, which may not be what was asked for.' }),
  })
  .meta({ id: 'CreatedMessageTemplate' });

export type MessageTemplate = z.infer<typeof messageTemplateSchema>;
export type NewMessageTemplate = z.output<typeof newMessageTemplateSchema>;
export type CreatedTemplate = z.infer<typeof createdTemplateSchema>;
