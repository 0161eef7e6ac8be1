/** What the rows of a delivery report are of. Isomorphic. */
export const REPORT_GROUPINGS = ['day', 'template', 'number', 'workflow'] as const;
export type ReportGrouping = (typeof REPORT_GROUPINGS)[number];
