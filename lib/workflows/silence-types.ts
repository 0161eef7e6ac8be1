/** A workflow without events for unusually long. */
export interface Silence {
  /** When the last event arrived, ISO 8601. */
  sinceAt: string;
  silentSeconds: number;
  /** The usual time between events. */
  usualSeconds: number;
}
