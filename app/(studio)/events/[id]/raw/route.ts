import { assertMember } from '#lib/identity/auth/session.ts';
import { AppError, statusOf, toErrorBody } from '#lib/core/errors.ts';
import { getEventBody } from '#lib/events/read-events.ts';

/** The body of an event byte for byte, as a download: a browser never shows it as a page. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  const { id } = await params;
  try {
    const body = await getEventBody(await assertMember('editor'), { id });
    return new Response(new Uint8Array(body), {
      headers: {
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': `attachment; filename="event-${id}.txt"`,
        'Cache-Control': 'no-store',
      },
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return Response.json(toErrorBody(error), { status: statusOf(error.code) });
  }
}
