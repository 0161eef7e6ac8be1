import { loadSample } from '#lib/editor/load-sample.ts';
import { answerJson } from '#lib/identity/auth/answer-json.ts';

/** One event with its run's outputs, as the editor's sample. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  return answerJson('editor', async (ctx) => {
    const eventId = new URL(request.url).searchParams.get('event') ?? '';
    return loadSample(ctx, { workflowId: (await params).id, eventId });
  });
}
