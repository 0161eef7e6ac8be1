import type { WorkflowEdge } from '#lib/engine/graph-types.ts';

/** The edge that `edgeKey` gave this key. */
export function parseEdgeId(key: string): WorkflowEdge {
  const [, from, branch = '', to] = /^(\d+):(.*)>(\d+)$/.exec(key) ?? [];
  const ends = { from: Number(from), to: Number(to) };
  return branch === '' ? ends : { ...ends, branch };
}
