import type { NextRequest } from 'next/server';
import { ANSWER_HEADERS } from '#lib/core/http/answer-headers.ts';
import { answerWith } from '#lib/identity/auth/answer-json.ts';
import { exportCustomer } from '#lib/workflows/erasure/export-customer.ts';

export const dynamic = 'force-dynamic';

/** Everything that is stored of a customer, as a file. */
export async function GET(
  request: NextRequest,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  const { id } = await params;
  return answerWith('owner', async (ctx) => {
    const headers = {
      ...ANSWER_HEADERS,
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="customer.json"',
    };
    // Next answers HEAD by this function, and never reads its body.
    if (request.method === 'HEAD') return new Response(null, { headers });
    return new Response(JSON.stringify(await exportCustomer(ctx, { id }), null, 2), { headers });
  });
}
