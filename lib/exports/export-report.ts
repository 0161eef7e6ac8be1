import type { Context } from '#lib/identity/context.ts';
import { readDeliveryReport } from '#lib/screens/delivery-report.ts';
import { type ReportQuery, reportQuerySchema } from '#lib/screens/report-types.ts';
import { MEDIA_TYPES, toCsvRecord } from './export-format.ts';
import { type Download, readQuery } from './open-export.ts';

const COLUMNS = [
  'key',
  'label',
  'accepted',
  'sent',
  'delivered',
  'read',
  'failed',
  'answered',
  'median_answer_seconds',
  'cost',
  'unpriced',
] as const;

/**
 * The rows of a delivery report as CSV.
 * @param isForSpreadsheets they only recognize UTF-8 by a byte order mark
 */
export async function exportDeliveryReport(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  query: ReportQuery,
  { isForSpreadsheets = false } = {},
): Promise<Download> {
  const { by, from, to, currency, data } = await readDeliveryReport(ctx, query);
  const [, ...others] = COLUMNS;
  const records = data.map((row) => toCsvRecord([...COLUMNS.map((column) => row[column]), currency]));
  const text = [isForSpreadsheets ? '\uFEFF' : '', toCsvRecord([by, ...others, 'currency']), ...records].join(
    '',
  );
  return {
    content: new Blob([text]).stream(),
    headers: {
      'Content-Type': MEDIA_TYPES.csv,
      'Content-Disposition': `attachment; filename="delivery-by-${by}-${from}-to-${to}.csv"`,
    },
  };
}

/** The parameters of a URL. @throws AppError `invalid_request` with every problem by its parameter */
export const readReportQuery = (given: Readonly<Record<string, string>>): ReportQuery =>
  readQuery(reportQuerySchema, given, 'There is no report for this.');
