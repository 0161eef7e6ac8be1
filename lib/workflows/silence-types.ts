/** A workflow that usually gets events and has gotten none for unusually long. */
export interface Silence {
  /** When the last event arrived, ISO 8601. */
  sinceAt: string;
  silentSeconds: number;
  /** The usual time from one event to the next. */
  usualSeconds: number;
}
