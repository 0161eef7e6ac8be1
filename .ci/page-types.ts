import { runTool } from './run-tool.ts';

let generated: Promise<void> | undefined;

/** Writes Next's types of the pages and routes, which types and lint read; once for all steps of a process. */
export const generatePageTypes = (root: string): Promise<void> =>
  (generated ??= runTool(root, 'next', ['typegen'], { quiet: true }));
