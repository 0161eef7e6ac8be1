import * as z from 'zod';

export const messageTemplateSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    status: z
      .string()
      .meta({ description: 'APPROVED, PENDING, REJECTED, DISABLED, or another status of the platform.' }),
    category: z.string(),
    language: z.string(),
    components: z.array(z.unknown()),
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
  })
  .meta({ id: 'NewMessageTemplate' });

export const changedTemplateSchema = newMessageTemplateSchema
  .pick({ components: true })
  .meta({ id: 'ChangedMessageTemplate' });

export const createdTemplateSchema = z
  .strictObject({ id: z.string(), name: z.string(), status: z.string() })
  .meta({ id: 'CreatedMessageTemplate' });

export type MessageTemplate = z.infer<typeof messageTemplateSchema>;
export type NewMessageTemplate = z.output<typeof newMessageTemplateSchema>;
export type CreatedTemplate = z.infer<typeof createdTemplateSchema>;
