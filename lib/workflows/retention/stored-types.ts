// What of a workspace is stored, as its screen shows it. Without server code, because browsers load it, too.

export const STORED_KINDS = ['bodies', 'runs', 'messages', 'received', 'windows', 'names', 'audit'] as const;
export type StoredKind = (typeof STORED_KINDS)[number];

/** A number of rows; estimated where counting would take long. */
export interface RowCount {
  rows: number;
  isEstimate: boolean;
}

/** What is older than a retention keeps. */
export interface DueNow extends RowCount {
  kind: StoredKind;
  /** ISO 8601; null: there is nothing. */
  oldestAt: string | null;
}

/** What is stored of one kind. Sizes are estimated from the newest rows. */
export interface StoredFigures extends RowCount {
  kind: StoredKind;
  bytes: number;
  /** ISO 8601, without what has to stay; null: there is nothing. */
  oldestAt: string | null;
  /** In the last seven days, or since there is anything. */
  rowsADay: number;
  bytesADay: number;
  due: DueNow;
}
