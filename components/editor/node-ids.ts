// Tasks and notes share the canvas: their node ids have different prefixes.
export const taskNodeId = (taskId: number): string => `t${taskId}`;
export const noteNodeId = (noteId: string): string => `n${noteId}`;

export const taskIdOf = (nodeId: string): number | undefined =>
  nodeId.startsWith('t') ? Number(nodeId.slice(1)) : undefined;

export const noteIdOf = (nodeId: string): string | undefined =>
  nodeId.startsWith('n') ? nodeId.slice(1) : undefined;

/** Separates node ids into ids of tasks and of notes. */
export function splitIds(nodeIds: Iterable<string>): { taskIds: number[]; noteIds: string[] } {
  const ids = [...nodeIds];
  return {
    taskIds: ids.flatMap((id) => taskIdOf(id) ?? []),
    noteIds: ids.flatMap((id) => noteIdOf(id) ?? []),
  };
}
