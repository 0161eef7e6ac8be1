import type { JsonObject } from '#lib/core/json/value.ts';

/** What makes notifications of the messaging platform out of requests; a room above brings it along. */
export interface NotificationReader {
  /** What the platform's dashboard must be given with the URL of this token. */
  verifyTokenOf: (token: string) => string;
  /**
   * A body with the fields that a notification has for workflows.
   * @returns undefined for what is no notification; `problem` for one that is refused
   */
  read: (
    body: JsonObject,
    about: { bytes: Uint8Array; signature: string | null; workspaceId: string },
  ) => Promise<{ body: JsonObject } | { problem: string } | undefined>;
}
