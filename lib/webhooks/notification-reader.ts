import type { JsonObject } from '#lib/core/json/value.ts';

/** Recognizes notifications of the messaging platform; implemented by a higher room. */
export interface NotificationReader {
  /** The verify token to enter in the platform's dashboard with the URL of this token. */
  verifyTokenOf: (token: string) => string;
  /**
   * The fields of a notification for workflows.
   * @returns undefined for other bodies; `problem` for a refused notification
   */
  read: (
    body: JsonObject,
    about: { bytes: Uint8Array; signature: string | null; workspaceId: string },
  ) => Promise<{ body: JsonObject } | { problem: string } | undefined>;
}
