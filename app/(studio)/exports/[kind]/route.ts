// Not below /events and /runs: messages have no page.
import type { NextRequest } from 'next/server';
import { AppError } from '#lib/core/errors.ts';
import { ANSWER_HEADERS } from '#lib/core/http/answer-headers.ts';
import { EXPORT_KINDS } from '#lib/exports/export-format.ts';
import { openExport, readExportQuery } from '#lib/exports/open-export.ts';
import { answerWith } from '#lib/identity/auth/answer-json.ts';

export const dynamic = 'force-dynamic';

/** Events, runs or messages of a span of time as a file, for the export dialog. */
export async function GET(
  request: NextRequest,
  { params }: { params: Promise<{ kind: string }> },
): Promise<Response> {
  const { kind: name } = await params;
  return answerWith('viewer', async (ctx) => {
    const kind = EXPORT_KINDS.find((each) => each === name);
    if (!kind) throw new AppError('not_found', `Export one of ${EXPORT_KINDS.join(', ')}.`);
    const query = readExportQuery(request.nextUrl.searchParams);
    // Next answers HEAD by this function, and never reads its body.
    if (request.method === 'HEAD') return new Response(null, { headers: ANSWER_HEADERS });
    const { content, headers } = await openExport(ctx, ctx, { ...query, kind }, { isForSpreadsheets: true });
    return new Response(content, { headers: { ...ANSWER_HEADERS, ...headers } });
  });
}
