// Maximum size of workflows. Server actions accept 9 MB (next.config.mjs), enough for this size after quoting and escaping.
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';

const MEGABYTE = 1024 * 1024;
const MAX_DRAFT_BYTES = 4 * MEGABYTE;
/** An export also has spaces and line breaks. */
const MAX_IMPORT_BYTES = 5 * MEGABYTE;

/** Why a workflow cannot be saved; undefined when it can. Checked by editors before sending, and by verbs before saving. */
export function findDraftSizeProblem(graph: WorkflowGraph): string | undefined {
  const bytes = bytesOf(JSON.stringify(graph));
  if (bytes <= MAX_DRAFT_BYTES) return undefined;
  return `The workflow has ${inMegabytes(bytes)}, more than the limit of 4 MB. Shorten long texts, or split it into two workflows.`;
}

/** Why a file cannot be imported, judged by its size; undefined when it can. */
export function findImportSizeProblem(text: string): string | undefined {
  const bytes = bytesOf(text);
  if (bytes <= MAX_IMPORT_BYTES) return undefined;
  return `The file has ${inMegabytes(bytes)}, more than the limit of 5 MB.`;
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Rounded up, so that it never equals the limit. */
const inMegabytes = (bytes: number): string => `${(Math.ceil((bytes / MEGABYTE) * 10) / 10).toFixed(1)} MB`;
