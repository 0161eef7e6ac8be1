// Processes bodies that have arrived. Each is copied several times (one buffer, text, parsed value, parameter of a
// statement), so that only a limited number of bytes is processed at once; all other bodies wait unparsed.
import { type ArrivingBody, LARGE_BODY_BYTES } from './body.ts';
import type { BodyThread } from './body-thread/client.ts';
import { type ParsedBody, parseObjectBody } from './object-body.ts';
import type { AppError } from '#lib/core/errors.ts';
import { WeightGate } from './weight-gate.ts';

/** Maximum bytes of each kind of body processed at once; a single larger body is allowed, too. */
const SMALL_AT_ONCE_BYTES = 16 * 1024 * 1024;
const LARGE_AT_ONCE_BYTES = 8 * 1024 * 1024;

export interface BodyWork {
  /** Parses a body when it is its turn, and processes it. */
  parse<Result>(
    body: ArrivingBody,
    work: (bytes: Buffer, parsed: ParsedBody) => Promise<Result>,
    reading?: BodyReading,
  ): Promise<Result>;
}

export interface BodyReading {
  /** Checks the bytes before they are parsed; returns why the body is refused. */
  check?: (bytes: Buffer) => Promise<AppError | undefined>;
  /** Parser to use instead of the JSON parser. */
  parse?: ((bytes: Buffer) => Promise<ParsedBody>) | undefined;
}

/** @param thread parses large bodies; without one, all are parsed here */
export function createBodyWork(thread: BodyThread | undefined): BodyWork {
  const small = new WeightGate(SMALL_AT_ONCE_BYTES);
  const large = new WeightGate(LARGE_AT_ONCE_BYTES);
  return {
    parse(body, work, { check, parse: parseOther } = {}) {
      const isLarge = body.byteLength > LARGE_BODY_BYTES;
      return (isLarge ? large : small).run(body.byteLength, () => {
        // Shared memory, so that nothing is copied for the thread.
        const shared = isLarge && thread ? new SharedArrayBuffer(body.byteLength) : undefined;
        const bytes = body.take(shared);
        const parseChecked = () =>
          parseOther
            ? parseOther(bytes).then((parsed) => work(bytes, parsed))
            : shared && thread
              ? thread.use(bytes, (parsed) => work(bytes, parsed))
              : work(bytes, parseObjectBody(bytes));
        if (!check) return parseChecked();
        return check(bytes).then((refusal) => (refusal ? work(bytes, { refusal }) : parseChecked()));
      });
    },
  };
}
