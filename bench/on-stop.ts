// Cleanup when this program is stopped: processes and mounts do not end with it.
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const undos = new Set<() => unknown>();
let isStopping = false;

/** Registers a cleanup for when this program is stopped; the last one runs first. @returns unregisters it */
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

/** In reverse order. A failure does not prevent the others. */
async function undoAll(all: readonly (() => unknown)[]): Promise<void> {
  for (const undo of all.toReversed()) {
    try {
      await undo();
    } catch (error) {
      process.stderr.write(`${String(error)}\n`);
    }
  }
}

/** Started resources and their cleanup, which runs once: at the end or when this program is stopped. */
export class Begun {
  readonly #undos: (() => unknown)[] = [];
  readonly #forget = onStop(() => this.end());
  #ending: Promise<void> | undefined;

  /** @param undo runs before the cleanup of earlier resources */
  add(undo: () => unknown): void {
    this.#undos.push(undo);
  }

  end(): Promise<void> {
    return (this.#ending ??= undoAll(this.#undos).finally(this.#forget));
  }
}
