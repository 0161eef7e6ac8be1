// The compared systems: Patchbay and other products, each with the same flows.
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';

/** Flows by name, each with this many copies with their own URL. */
export type Flows = Record<string, { graph: WorkflowGraph; copies?: number }>;

export interface Settled {
  /** Webhooks whose flow succeeded since `prepare`; undefined where the product does not report it. */
  executed?: number;
  /** When the last one ended, in milliseconds since 1970. */
  endedAt: number;
  /** Number that had not succeeded after a minute. */
  left: number;
}

export interface System {
  name: string;
  /** The parent process of each part; some of its descendants may not count. */
  parts: Record<string, { pid: number; without?: readonly number[] }>;
  urlsOf(flow: string): readonly string[];
  /** Waits until everything that was received is executed. */
  settle(): Promise<Settled>;
  /** Removes the data of earlier measurements. */
  prepare(): Promise<void>;
  stop(): Promise<void>;
}

export interface Contestant {
  name: string;
  /** Maximum number of copies of a flow with which it starts in reasonable time; left out: unlimited. */
  mostCopies?: number;
  start(flows: Flows): Promise<System>;
}

/** Starts all, or none. */
export async function startAll(contestants: readonly Contestant[], flows: Flows): Promise<System[]> {
  const systems: System[] = [];
  try {
    for (const contestant of contestants) systems.push(await contestant.start(flows));
  } catch (error) {
    await stopAll(systems);
    throw error;
  }
  return systems;
}

export const stopAll = async (systems: readonly System[]): Promise<void> => {
  await Promise.all(systems.map((system) => system.stop()));
};
