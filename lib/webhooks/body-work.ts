// Processes bodies that have arrived. Each is copied several times (one buffer, text, parsed value, parameter of a
// statement), so that only a limited number of bytes is processed at once; all other bodies wait unparsed.
import type { AppError } from '#lib/core/errors.ts';
import type { BodyThread } from './body-thread/client.ts';
import { type ArrivingBody, LARGE_BODY_BYTES } from './body.ts';
import { type ParsedBody, parseObjectBody } from './object-body.ts';

interface Waiting {
  weight: number;
  rank: number;
  enter: () => void;
}

/** Weight that offsets 1 ms of waiting. */
const WEIGHT_PER_MS = 1000;

/**
 * Limits the total weight of concurrent work to a capacity. Lighter work goes first, unless heavier work has waited a second
 * longer for each million of difference.
 */
export class WeightGate {
  readonly #capacity: number;
  readonly #waiting: Waiting[] = [];
  #weight = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /**
   * Waits for the turn of some work, which ends when what is returned is disposed of.
   * @param weight in the capacity's unit; work that exceeds the capacity waits until it can run alone
   */
  async enter(weight: number): Promise<Disposable> {
    const counted = Math.min(weight, this.#capacity);
    if (this.#waiting.length > 0 || !this.#fits(counted)) await this.#wait(counted);
    else this.#weight += counted;
    return {
      [Symbol.dispose]: () => {
        this.#weight -= counted;
        this.#enterNext();
      },
    };
  }

  #fits(weight: number): boolean {
    return this.#weight + weight <= this.#capacity;
  }

  #wait(weight: number): Promise<void> {
    const rank = performance.now() + weight / WEIGHT_PER_MS;
    return new Promise((enter) => {
      const at = this.#waiting.findIndex((other) => other.rank > rank);
      this.#waiting.splice(at < 0 ? this.#waiting.length : at, 0, { weight, rank, enter });
    });
  }

  #enterNext(): void {
    for (let next = this.#waiting[0]; next && this.#fits(next.weight); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#weight += next.weight;
      next.enter();
    }
  }
}

/** Maximum bytes of each kind of body processed at once; a single larger body is allowed, too. */
const SMALL_AT_ONCE_BYTES = 16 * 1024 * 1024;
const LARGE_AT_ONCE_BYTES = 8 * 1024 * 1024;

export interface BodyWork {
  /** Checks and parses a body when it is its turn, which lasts until `held` is disposed of. */
  open(body: ArrivingBody, held: AsyncDisposableStack, reading: BodyReading): Promise<OpenedBody>;
}

export interface OpenedBody {
  bytes: Buffer;
  parsed: ParsedBody;
}

export interface BodyReading {
  /** Checks the bytes before they are parsed; returns why the body is refused. */
  check: (bytes: Buffer) => Promise<AppError | undefined>;
  /** Parser to use instead of the JSON parser. */
  parse?: ((bytes: Buffer) => Promise<ParsedBody>) | undefined;
}

/** @param thread parses large bodies; without one, all are parsed here */
export function createBodyWork(thread: BodyThread | undefined): BodyWork {
  const small = new WeightGate(SMALL_AT_ONCE_BYTES);
  const large = new WeightGate(LARGE_AT_ONCE_BYTES);
  return {
    async open(body, held, { check, parse }) {
      const isLarge = body.byteLength > LARGE_BODY_BYTES;
      held.use(await (isLarge ? large : small).enter(body.byteLength));
      // Shared memory, so that nothing is copied for the thread.
      const shared = isLarge && thread ? new SharedArrayBuffer(body.byteLength) : undefined;
      const bytes = body.take(shared);
      const refusal = await check(bytes);
      if (refusal) return { bytes, parsed: { refusal } };
      if (parse) return { bytes, parsed: await parse(bytes) };
      return { bytes, parsed: shared && thread ? await thread.open(bytes, held) : parseObjectBody(bytes) };
    },
  };
}
