// A simulated world in which time only passes when nothing else is left to do. Code inside a simulated process gets its time
// from the globals (Date, timers, performance.now, Math.random), so that the engine runs unchanged.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Random } from '#lib/testing/random.ts';

const EPOCH_MS = Date.UTC(2026, 0, 1);

/** Number of steps between turns of the real event loop. */
const EVENTS_PER_TURN = 1000;

const real = {
  Date: globalThis.Date,
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  clearTimeout: globalThis.clearTimeout,
  setImmediate: globalThis.setImmediate,
  performanceNow: performance.now.bind(performance),
  random: Math.random,
};

/** A process of the world. Work of a dead one never continues. */
export class SimulatedProcess {
  readonly name: string;
  readonly world: World;
  isDead = false;
  /** Suspended until then. */
  stalledUntilMs = 0;
  /** Offset of its clock to the database's. */
  clockOffsetMs = 0;

  constructor(name: string, world: World) {
    this.name = name;
    this.world = world;
  }
}

interface WorldEvent {
  atMs: number;
  /** Order of events of one instant. */
  order: number;
  owner: SimulatedProcess | undefined;
  run: () => void;
  isCancelled: boolean;
}

const current = new AsyncLocalStorage<SimulatedProcess>();

export class World {
  readonly random: Random;
  #nowMs = 0;
  /** A binary heap by instant and order. */
  readonly #events: WorldEvent[] = [];

  constructor(random: Random) {
    this.random = random;
  }

  /** Milliseconds since 1970 by the database's clock. */
  get nowMs(): number {
    return EPOCH_MS + this.#nowMs;
  }

  /** Milliseconds since the world began. */
  get elapsedMs(): number {
    return this.#nowMs;
  }

  /** @param owner its process: it does not happen when that is dead, and later when it is suspended. */
  schedule(delayMs: number, owner: SimulatedProcess | undefined, run: () => void): WorldEvent {
    const atMs = this.#nowMs + Math.max(0, delayMs);
    const event = { atMs, order: this.random.next(), owner, run, isCancelled: false };
    push(this.#events, event);
    return event;
  }

  /** Runs code inside a process. */
  enter(process: SimulatedProcess, run: () => void): void {
    current.run(process, run);
  }

  /** Processes events until the condition holds, none is left, or the limits are reached. */
  async runUntil(isOver: () => boolean, bounds: { untilMs: number; maxEvents: number }): Promise<number> {
    let events = 0;
    for (; events < bounds.maxEvents && !isOver(); events += 1) {
      const event = pop(this.#events);
      if (!event) break;
      const { owner } = event;
      if (event.isCancelled || owner?.isDead) continue;
      if (owner && owner.stalledUntilMs > event.atMs) {
        push(this.#events, { ...event, atMs: owner.stalledUntilMs });
        continue;
      }
      if (event.atMs > bounds.untilMs) break;
      this.#nowMs = event.atMs;
      if (owner) current.run(owner, event.run);
      else event.run();
      // A tick ends when all promises caused by the event have been settled.
      await new Promise<void>((resolve) => {
        if (events % EVENTS_PER_TURN === 0) real.setImmediate(resolve);
        else process.nextTick(resolve);
      });
    }
    return events;
  }
}

const isBefore = (a: WorldEvent, b: WorldEvent): boolean =>
  a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

function push(heap: WorldEvent[], event: WorldEvent): void {
  let place = heap.push(event) - 1;
  while (place > 0) {
    const above = (place - 1) >> 1;
    const parent = heap[above] as WorldEvent;
    if (!isBefore(event, parent)) break;
    heap[place] = parent;
    place = above;
  }
  heap[place] = event;
}

function pop(heap: WorldEvent[]): WorldEvent | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (!first || !last || heap.length === 0) return first;
  let place = 0;
  for (;;) {
    let below = place * 2 + 1;
    if (below >= heap.length) break;
    if (below + 1 < heap.length && isBefore(heap[below + 1] as WorldEvent, heap[below] as WorldEvent))
      below += 1;
    const child = heap[below] as WorldEvent;
    if (!isBefore(child, last)) break;
    heap[place] = child;
    place = below;
  }
  heap[place] = last;
  return first;
}

/** A timer like Node's, as far as the engine uses it. */
class SimulatedTimer {
  event: WorldEvent;

  constructor(event: WorldEvent) {
    this.event = event;
  }

  unref(): this {
    return this;
  }
}

const processNow = (process: SimulatedProcess): number => process.world.nowMs + process.clockOffsetMs;

class SimulatedDate extends real.Date {
  constructor(...values: [] | [number | string | Date]) {
    const process = current.getStore();
    if (values.length === 0 && process) super(processNow(process));
    else super(...(values as [number]));
  }

  static override now(): number {
    const process = current.getStore();
    return process ? processNow(process) : real.Date.now();
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return Object.prototype.toString.call(value) === '[object Date]';
  }
}

/** Replaces the globals by those of simulated processes, for code inside one. @returns restores them */
export function installWorldGlobals(): () => void {
  const later = (process: SimulatedProcess, delayMs: number, run: () => void): SimulatedTimer =>
    new SimulatedTimer(process.world.schedule(delayMs, process, run));
  Object.assign(globalThis, {
    Date: SimulatedDate,
    setTimeout: (run: () => void, delayMs = 0, ...rest: []) => {
      const process = current.getStore();
      return process ? later(process, delayMs, run) : real.setTimeout(run, delayMs, ...rest);
    },
    setInterval: (run: () => void, everyMs = 0) => {
      const process = current.getStore();
      if (!process) return real.setInterval(run, everyMs);
      const timer = later(process, everyMs, () => {
        timer.event = process.world.schedule(everyMs, process, timer.event.run);
        run();
      });
      return timer;
    },
    clearInterval: (timer: NodeJS.Timeout | SimulatedTimer | undefined) => {
      if (timer instanceof SimulatedTimer) timer.event.isCancelled = true;
      else real.clearInterval(timer);
    },
    clearTimeout: (timer: NodeJS.Timeout | SimulatedTimer | undefined) => {
      if (timer instanceof SimulatedTimer) timer.event.isCancelled = true;
      else real.clearTimeout(timer);
    },
    setImmediate: (run: (...values: unknown[]) => void, ...values: unknown[]) => {
      const process = current.getStore();
      return process ? later(process, 0, () => run(...values)) : real.setImmediate(run, ...values);
    },
  });
  performance.now = () => {
    const process = current.getStore();
    return process ? process.world.elapsedMs : real.performanceNow();
  };
  Math.random = () => current.getStore()?.world.random.next() ?? real.random();
  return () => {
    const { performanceNow, random, ...globals } = real;
    Object.assign(globalThis, globals);
    performance.now = performanceNow;
    Math.random = random;
  };
}
