// Works with bodies that have arrived. Each is copied several times (one piece, text, parsed value, parameter of a
// statement), so only few bytes at a time are worked with; all others wait unparsed.
import { type ArrivingBody, LARGE_BODY_BYTES } from './body.ts';
import type { BodyThread } from './body-thread/client.ts';
import { type ParsedBody, parseObjectBody } from './object-body.ts';
import type { AppError } from '#lib/core/errors.ts';
import { WeightGate } from './weight-gate.ts';

/** How many bytes of each kind of body are worked with at once; of large ones also a single larger body. */
const SMALL_AT_ONCE_BYTES = 16 * 1024 * 1024;
const LARGE_AT_ONCE_BYTES = 8 * 1024 * 1024;

export interface BodyWork {
  /** Parses a body when its turn has come and works with it. */
  parse<Result>(
    body: ArrivingBody,
    work: (bytes: Buffer, parsed: ParsedBody) => Promise<Result>,
    reading?: BodyReading,
  ): Promise<Result>;
}

export interface BodyReading {
  /** Looks at the bytes before anything is parsed; says why the body is refused. */
  check?: (bytes: Buffer) => Promise<AppError | undefined>;
  /** What reads the body instead of the JSON parser. */
  parse?: ((bytes: Buffer) => Promise<ParsedBody>) | undefined;
}

/** @param thread where large bodies are parsed; without one, where all are. */
export function createBodyWork(thread: BodyThread | undefined): BodyWork {
  const small = new WeightGate(SMALL_AT_ONCE_BYTES);
  const large = new WeightGate(LARGE_AT_ONCE_BYTES);
  return {
    parse(body, work, { check, parse: parseOther } = {}) {
      const isLarge = body.byteLength > LARGE_BODY_BYTES;
      return (isLarge ? large : small).run(body.byteLength, () => {
        // Memory that both threads see: nothing is copied for the other one.
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
