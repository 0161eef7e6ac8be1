import type { Queryable } from '#lib/core/db/client.ts';
import { LOWEST_ID } from '#lib/core/ids.ts';
import { newestOfWorkflow, SAMPLE_EVENTS } from '../newest-events.ts';

const FIRST_KEPT = `
select w.id, (
  select e.id from events e ${newestOfWorkflow('e', 'w.id')} offset ${SAMPLE_EVENTS - 1} limit 1
) as first
from workflows w where w.id = any($1::uuid[]) and w.deleted_at is null`;

/**
 * The newest events of workflows, which stay as samples of the editor with their runs, however old they are. Those of deleted
 * workflows do not stay.
 */
export class Samples {
  readonly #firstKept = new Map<string, string | null>();

  /** Reads what is not known yet. Later events only make it keep more than it has to, until the next time. */
  async load(db: Queryable, workflowIds: readonly (string | null)[]): Promise<void> {
    const unknown = [...new Set(workflowIds)].filter(
      (id): id is string => id !== null && !this.#firstKept.has(id),
    );
    if (unknown.length === 0) return;
    const { rows } = await db.query<{ id: string; first: string | null }>(FIRST_KEPT, [unknown]);
    for (const id of unknown) this.#firstKept.set(id, null);
    for (const { id, first } of rows) this.#firstKept.set(id, first ?? LOWEST_ID);
  }

  /** Whether an event of a loaded workflow is a sample. */
  has({ workflowId, eventId }: { workflowId: string | null; eventId: string }): boolean {
    const first = workflowId === null ? null : (this.#firstKept.get(workflowId) ?? null);
    return first !== null && eventId >= first;
  }
}
