const CONNECTION_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT']);

/**
 * Whether the database could not be reached or went away, so that the same statement may work later:
 * SQLSTATE classes 08 (connection), 57P0x (shutting down, starting up), 53300 (too many connections).
 */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (CONNECTION_CODES.has(code) || code.startsWith('08') || code.startsWith('57P0') || code === '53300')
    return true;
  return (
    code === '' &&
    /connection (terminated|ended)|timeout exceeded when trying to connect|not queryable/i.test(error.message)
  );
}
