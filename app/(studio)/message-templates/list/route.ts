import type { NextRequest } from 'next/server';
import { findUneditable } from '#components/message-templates/template-draft.ts';
import type { ShownTemplate } from '#components/message-templates/shown-template.ts';
import { listMessageTemplates } from '#lib/messaging/message-templates/list-message-templates.ts';
import { isPlain } from '#lib/messaging/message-templates/schema/describe-template.ts';
import { previewTemplate } from '#lib/messaging/message-templates/schema/preview-template.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';
import { listTemplateUses } from '#lib/screens/list-picker-options.ts';
import { answerJson } from '#lib/identity/auth/answer-json.ts';

const MAX_SHOWN = 1000;

/** The message templates of `?connection=`, asked of the platform now. */
export async function GET(request: NextRequest): Promise<Response> {
  const id = request.nextUrl.searchParams.get('connection') ?? '';
  return answerJson('viewer', async (ctx): Promise<ShownTemplate[]> => {
    const templates = await listMessageTemplates(toMessagingContext(ctx), { id, limit: MAX_SHOWN });
    const uses = await listTemplateUses(ctx, id);
    return templates.map(({ components, ...template }) => ({
      ...template,
      preview: previewTemplate(components),
      isPlain: isPlain({ components, parameterFormat: template.parameter_format ?? undefined }),
      uneditable: findUneditable(components),
      usedBy: uses.get(template.name) ?? [],
    }));
  });
}
