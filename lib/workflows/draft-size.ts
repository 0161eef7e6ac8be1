// How large workflows may be. Server actions take 9 MB (next.config.mjs): what is allowed here fits, quoted and escaped.
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';

const MEGABYTE = 1024 * 1024;
const MAX_DRAFT_BYTES = 4 * MEGABYTE;
/** An export has spaces and line ends besides. */
const MAX_IMPORT_BYTES = 5 * MEGABYTE;

/** Why a workflow cannot be kept; undefined when it can. Editors ask before they send it, verbs before they keep it. */
export function findDraftSizeProblem(graph: WorkflowGraph): string | undefined {
  const bytes = bytesOf(JSON.stringify(graph));
  if (bytes <= MAX_DRAFT_BYTES) return undefined;
  return `The workflow has ${inMegabytes(bytes)}, more than the limit of 4 MB. Shorten long texts, or split it into two workflows.`;
}

/** Why a file cannot be imported; undefined when it can, as far as its size goes. */
export function findImportSizeProblem(text: string): string | undefined {
  const bytes = bytesOf(text);
  if (bytes <= MAX_IMPORT_BYTES) return undefined;
  return `The file has ${inMegabytes(bytes)}, more than the limit of 5 MB.`;
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Rounded up, so that it is never the limit itself. */
const inMegabytes = (bytes: number): string => `${(Math.ceil((bytes / MEGABYTE) * 10) / 10).toFixed(1)} MB`;
