// Why a command cannot use the database, for the user of the command line.
import { DrizzleQueryError } from 'drizzle-orm';

/** SQLSTATE 08 (connection), 28 (who may), 3D (no such database), 53 (no connection left), 57P (starting up, shutting down). */
const STATES = /^(?:08|28|3D|53|57P)\w{2,3}$/;
const CONNECTING = ['connect', 'getaddrinfo'];

/** Why a command cannot use the database; null for every other error. */
export function describeDatabaseProblem(error: unknown): string | null {
  if (error instanceof DrizzleQueryError) return describeDatabaseProblem(error.cause);
  // Of a name with several addresses, each of which was tried.
  if (error instanceof AggregateError) return describeDatabaseProblem(error.errors[0]);
  if (!(error instanceof Error)) return null;
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  return CONNECTING.includes(syscall) || STATES.test(code)
    ? `${error.message}. DATABASE_URL says which database is meant.`
    : null;
}
