import { DrizzleQueryError } from 'drizzle-orm';

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
]);
/**
 * SQLSTATE 08 (connection), 53 (out of connections, memory or disk), 57P (shutting down, starting up), 58 (system error),
 * 25006 (currently a standby); see PostgreSQL's appendix "Error Codes".
 */
const UNAVAILABLE_STATES = /^(08|53|57P|58)...?$|^25006$/;
const UNAVAILABLE_MESSAGES =
  /connection (terminated|ended)|timeout exceeded when trying to connect|query read timeout|not queryable/i;

/**
 * Whether a statement failed because of the state of the database: it was unreachable, disconnected or cannot write now, so
 * that the same statement may work later. Also recognizes errors that drizzle has wrapped.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code !== '') return SOCKET_CODES.has(code) || UNAVAILABLE_STATES.test(code);
  if (error instanceof DrizzleQueryError) return isDatabaseUnavailable(error.cause);
  return UNAVAILABLE_MESSAGES.test(error.message);
}
