import type { NextRequest } from 'next/server';
import type { ShownTemplate } from '#components/message-templates/shown-template.ts';
import { listMessageTemplates } from '#lib/messaging/message-templates/list-message-templates.ts';
import { countPlaceholders } from '#lib/messaging/message-templates/schema/components.ts';
import { previewTemplate } from '#lib/messaging/message-templates/schema/preview-template.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';
import { listTemplateUses } from '#lib/screens/template-uses.ts';
import { answerJson } from '#lib/identity/auth/answer-json.ts';

const MAX_SHOWN = 1000;

/** Whether a component has a placeholder or needs a file. */
function needsValue(component: unknown): boolean {
  const { type, format } = component as { type?: string; format?: string };
  const isMediaHeader = type === 'HEADER' && format !== 'TEXT';
  return isMediaHeader || countPlaceholders(JSON.stringify(component)) > 0;
}

/** The message templates of `?connection=`, read from the platform now. */
export async function GET(request: NextRequest): Promise<Response> {
  const id = request.nextUrl.searchParams.get('connection') ?? '';
  return answerJson('viewer', async (ctx): Promise<ShownTemplate[]> => {
    const templates = await listMessageTemplates(toMessagingContext(ctx), { id, limit: MAX_SHOWN });
    const uses = await listTemplateUses(ctx, id);
    return templates.map(({ components, ...template }) => ({
      ...template,
      preview: previewTemplate(components),
      isPlain: !components.some(needsValue),
      usedBy: uses.get(template.name) ?? [],
    }));
  });
}
