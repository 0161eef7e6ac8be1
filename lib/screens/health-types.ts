/** One check of the health page. */
export interface HealthCheck {
  id: 'database' | 'workers' | 'queue' | 'disk' | 'keys' | 'connections' | 'platform' | 'notifications';
  result: 'ok' | 'warning' | 'failed';
  what: string;
  /** How to fix it; null when all is well. */
  fix: string | null;
  /** The instant that `what` ends with, ISO 8601. */
  at: string | null;
}

/** While one of them fails, no run is executed. */
export const NEEDED_BY_RUNS: readonly HealthCheck['id'][] = ['database', 'workers', 'queue'];
