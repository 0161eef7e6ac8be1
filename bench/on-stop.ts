// What has to be undone when this program is told to stop: what it started or mounted does not end with it.
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const undos = new Set<() => unknown>();
let isStopping = false;

/**
 * Has something done when this program is told to stop; what was asked for last is done first.
 * @returns what takes it back
 */
export function onStop(undo: () => unknown): () => void {
  for (const signal of SIGNALS) if (!process.listeners(signal).includes(stop)) process.on(signal, stop);
  undos.add(undo);
  return () => void undos.delete(undo);
}

function stop(signal: NodeJS.Signals): void {
  if (isStopping) return;
  isStopping = true;
  void undoAll([...undos]).finally(() => process.exit(128 + constants.signals[signal]));
}

/** In reverse order. What fails does not keep the others from being undone. */
async function undoAll(all: readonly (() => unknown)[]): Promise<void> {
  for (const undo of all.toReversed()) {
    try {
      await undo();
    } catch (error) {
      process.stderr.write(`${String(error)}\n`);
    }
  }
}

/** What was begun, and how it is undone: once, at the end or when this program is told to stop. */
export class Begun {
  readonly #undos: (() => unknown)[] = [];
  readonly #forget = onStop(() => this.end());
  #ending: Promise<void> | undefined;

  /** @param undo is done before what was begun earlier is undone */
  add(undo: () => unknown): void {
    this.#undos.push(undo);
  }

  end(): Promise<void> {
    return (this.#ending ??= undoAll(this.#undos).finally(this.#forget));
  }
}
