/** How the 24-hour window between a number and a customer stands, as a screen shows it. */
export interface CustomerWindow {
  /** As messages are sent to them: digits only, or a user id. */
  customer: string;
  /** `unknown`: no message of theirs was ever reported; the platform decides. */
  state: 'open' | 'closed' | 'unknown';
  /** ISO 8601. */
  lastMessageAt: string | null;
  closesAt: string | null;
}
