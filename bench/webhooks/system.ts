// What is measured beside each other: Patchbay and other products, each with the same flows.
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';

/** Flows by name, each with so many copies of its own URL. */
export type Flows = Record<string, { graph: WorkflowGraph; copies?: number }>;

export interface Settled {
  /** Webhooks whose flow ended well since `prepare`; undefined where the product does not tell. */
  executed?: number;
  /** When the last one ended, in milliseconds since 1970. */
  endedAt: number;
  /** That had not ended well after a minute. */
  left: number;
}

export interface System {
  name: string;
  /** The process that each part's other processes come from; some of these may not count. */
  parts: Record<string, { pid: number; without?: readonly number[] }>;
  urlsOf(flow: string): readonly string[];
  /** Waits until everything that was received is executed. */
  settle(): Promise<Settled>;
  /** Removes what earlier measurements left. */
  prepare(): Promise<void>;
  stop(): Promise<void>;
}

export interface Contestant {
  name: string;
  /** With how many copies of a flow it starts in reasonable time; any number where none is given. */
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
