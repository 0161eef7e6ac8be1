/** The embedded database cannot be started; the message says why and what the operator can do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
