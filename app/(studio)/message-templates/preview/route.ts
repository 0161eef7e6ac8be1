import type { NextRequest } from 'next/server';
import * as z from 'zod';
import { AppError } from '#lib/core/errors.ts';
import { answerJson } from '#lib/identity/auth/answer-json.ts';
import { listMessageTemplates } from '#lib/messaging/message-templates/list-message-templates.ts';
import { previewTemplate } from '#lib/messaging/message-templates/schema/preview-template.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';

const MAX_SEARCHED = 1000;

const querySchema = z.object({
  connection: z.string(),
  account: z.string().optional(),
  name: z.string(),
  language: z.string(),
});

/** What the names of values in the address begin with; the key of a slot follows. */
const VALUE = 'value.';

/** A message template of `?connection=` as the phone shows it with the values of `?value.<slot>=`, asked of the platform now. */
export async function GET({ nextUrl: { searchParams } }: NextRequest): Promise<Response> {
  return answerJson('viewer', async (ctx) => {
    const { data: query } = querySchema.safeParse(Object.fromEntries(searchParams));
    if (!query) throw new AppError('invalid_request', 'Name a connection, a template and its language.');
    const { connection: id, account, name, language } = query;
    const templates = await listMessageTemplates(toMessagingContext(ctx), {
      id,
      ...(account ? { businessAccountId: account } : {}),
      limit: MAX_SEARCHED,
    });
    const template = templates.find((each) => each.name === name && each.language === language);
    if (!template) throw new AppError('not_found', 'The platform has no such message template.');
    const values = [...searchParams].flatMap(([key, value]) =>
      key.startsWith(VALUE) ? [[key.slice(VALUE.length), value] as const] : [],
    );
    return previewTemplate(template.components, Object.fromEntries(values));
  });
}
