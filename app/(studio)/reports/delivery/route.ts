import type { NextRequest } from 'next/server';
import { ANSWER_HEADERS } from '#lib/core/http/answer-headers.ts';
import { exportDeliveryReport, readReportQuery } from '#lib/exports/export-report.ts';
import { answerJson, answerWith } from '#lib/identity/auth/answer-json.ts';
import { readDeliveryReport } from '#lib/screens/delivery-report.ts';

/** The delivery report of the screen; with `?format=csv` as a file. */
export async function GET({ nextUrl: { searchParams } }: NextRequest): Promise<Response> {
  const { format, ...given } = Object.fromEntries(searchParams);
  if (format !== 'csv')
    return answerJson('viewer', async (ctx) => readDeliveryReport(ctx, readReportQuery(given)));
  return answerWith('viewer', async (ctx) => {
    const { content, headers } = await exportDeliveryReport(ctx, readReportQuery(given), {
      isForSpreadsheets: true,
    });
    return new Response(content, { headers: { ...ANSWER_HEADERS, ...headers } });
  });
}
