import type { Logger } from 'pino';
import type { Queryable } from '#lib/core/db/client.ts';
import { findFileKey, LINK_MARKS, LINK_PATTERN } from '#lib/messaging/media/find-files.ts';
import { openMediaStore } from '#lib/messaging/media/open-media-store.ts';
import type { MediaStore } from '#lib/messaging/media/media-store.ts';
import type { MessagingRuntime } from '#lib/messaging/runtime.ts';

export type FileRuntime = Pick<MessagingRuntime, 'media' | 'secrets' | 'baseUrl'> & { logger: Logger };

interface Linking {
  link: string;
  from: Date;
  to: Date;
}

const isMarked = (column: string, cast: string): string =>
  LINK_MARKS.map((mark) => `position('${mark}'${cast} in ${column}) > 0`).join(' or ');

/** A body may be any bytes, so it is searched as the text that PostgreSQL escapes it to. */
const OF_EVENTS = `
select distinct found.parts[1] as link, received_at as "from", received_at as "to"
from events, regexp_matches(encode(body, 'escape'), '(${LINK_PATTERN})', 'g') as found(parts)
where id = any($1::uuid[]) and (${isMarked('body', '::bytea')})`;

const OF_RUNS = `
select distinct found.parts[1] as link, coalesce(started_at, finished_at, now()) as "from",
  coalesce(finished_at, started_at, now()) as "to"
from task_runs, regexp_matches(output, '(${LINK_PATTERN})', 'g') as found(parts)
where run_id = any($1::uuid[]) and (${isMarked('output', '')})`;

/**
 * Removes stored files with the content that links to them, before the content is removed: a kill in between leaves content
 * without its file, and never a file that nothing leads to.
 */
export class FileRemover {
  readonly #runtime: FileRuntime | undefined;
  #store: Promise<MediaStore> | undefined;

  /** @param runtime left out: without encryption keys there are no links to open, and no files */
  constructor(runtime?: FileRuntime) {
    this.#runtime = runtime;
  }

  /** The files of forms that these events were. */
  ofEvents(db: Queryable, ids: readonly string[]): Promise<void> {
    return this.#remove(db, OF_EVENTS, ids);
  }

  /** The files that tasks of these runs stored. */
  ofRuns(db: Queryable, ids: readonly string[]): Promise<void> {
    return this.#remove(db, OF_RUNS, ids);
  }

  async #remove(db: Queryable, statement: string, ids: readonly string[]): Promise<void> {
    if (!this.#runtime) return;
    const { media, logger } = this.#runtime;
    const runtime = this.#runtime;
    const { rows } = await db.query<Linking>(statement, [ids]);
    const keys = new Set(rows.map(({ link, ...stored }) => findFileKey(link, runtime, stored)));
    keys.delete(undefined);
    if (keys.size === 0) return;
    try {
      const store = await (this.#store ??= openMediaStore(media, runtime));
      for (const key of keys) if (key !== undefined) await store.remove(key);
    } catch (error) {
      this.#store = undefined;
      // Storage that cannot be reached holds up nothing else: MEDIA_RETENTION_DAYS removes the files.
      logger.error({ err: error }, 'Stored files could not be removed with their event');
    }
  }
}
