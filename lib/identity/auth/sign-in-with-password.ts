import { eq } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { users } from '#lib/identity/schema/accounts.ts';
import { identityRequired, mayUsePassword } from '#lib/identity/sign-in-policy/sign-in-policy.ts';
import { verifyPassword } from './password.ts';
import { type Attempt, clearAttempts, countAttempt } from './sign-in-attempts.ts';

// Verifying a password is deliberately expensive: a flood of attempts must delay the attacker, not the server.

interface Options {
  /** Concurrent verifications; the rest of Node's four threads are for files and DNS. */
  atATime: number;
  /** Maximum number waiting from one place. */
  perPlace: number;
  /** Maximum number waiting in total. */
  total: number;
}

const RETRY_SECONDS = 5;

export class PasswordQueue {
  readonly #options: Options;
  /** By place, the next one first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #waitingCount = 0;
  #running = 0;

  constructor(options: Options = { atATime: 2, perPlace: 20, total: 200 }) {
    this.#options = options;
  }

  /**
   * Runs `work` when it is the place's turn. Places alternate, so that one with many attempts waits longer.
   * @param place a network address or a known browser
   * @throws AppError `rate_limited` when too many are waiting
   */
  async run<Result>(place: string, work: () => Promise<Result>): Promise<Result> {
    await this.#turn(place);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#startNext();
    }
  }

  #turn(place: string): Promise<void> {
    const lane = this.#waiting.get(place) ?? [];
    const { atATime, perPlace, total } = this.#options;
    if (this.#running < atATime && this.#waitingCount === 0) {
      this.#running += 1;
      return Promise.resolve();
    }
    if (lane.length >= perPlace || this.#waitingCount >= total)
      throw new AppError('rate_limited', 'Many people are signing in. Try again in a few seconds.', {
        retryAfterSeconds: RETRY_SECONDS,
      });
    this.#waiting.set(place, lane);
    this.#waitingCount += 1;
    return new Promise((resolve) => lane.push(resolve));
  }

  #startNext(): void {
    const [next] = this.#waiting;
    if (!next) return;
    const [place, lane] = next;
    const start = lane.shift();
    this.#waiting.delete(place);
    if (lane.length > 0) this.#waiting.set(place, lane);
    this.#waitingCount -= 1;
    this.#running += 1;
    start?.();
  }
}

/** One per process. */
const passwordQueue = new PasswordQueue();

/**
 * Verifies an email address and password. Unknown addresses take as long and get the same error as wrong passwords.
 * @throws AppError `unauthorized`, `rate_limited`; `forbidden` for a right password where the identity provider is required
 */
export async function signInWithPassword(
  db: Database,
  { password, ...attempt }: Attempt & { password: string },
): Promise<{ id: string; email: string }> {
  await countAttempt(db, attempt);
  const [user] = await db.select().from(users).where(eq(users.email, attempt.email));
  const isRight = await passwordQueue.run(attempt.browserId ?? attempt.address, () =>
    verifyPassword(password, user?.passwordHash ?? null),
  );
  if (!isRight || !user) {
    throw new AppError('unauthorized', 'The email address or the password is wrong.');
  }
  await clearAttempts(db, attempt);
  if (!(await mayUsePassword(db, user.id))) throw identityRequired();
  return { id: user.id, email: user.email };
}
