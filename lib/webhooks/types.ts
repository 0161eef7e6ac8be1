// The interface between the two doors (plain Node http and Next's route handlers) and the function that receives webhooks.
import type { JsonObject } from '#lib/core/json/value.ts';

/** Which of a workflow's URLs was called. */
export type WebhookKind = 'production' | 'test';

/** @returns whether to continue reading */
export type CollectChunk = (chunk: Uint8Array) => boolean | Promise<boolean>;

export interface WebhookRequest {
  kind: WebhookKind;
  token: string;
  method: string;
  /** The query of the URL, without `?`. */
  search?: string | undefined;
  /** Names in lower case; repeated values joined by commas. */
  headers: Record<string, string>;
  /** The caller's IP address, as the nearest trusted proxy saw it; left out: unknown. */
  address?: () => string | undefined;
  /** Content-Length as declared; undefined for chunked bodies. */
  declaredBytes: number | undefined;
  /**
   * Passes every chunk of the body to the collector until that returns false; resolves with false when the caller
   * disconnected. A collector may return a promise, and reading pauses until it resolves.
   */
  readBody(collect: CollectChunk): Promise<boolean>;
}

export interface WebhookAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Why it was refused: the error's code. */
  refused?: string;
  /** The workflow's own response, or that it is still running after the timeout. */
  isOutput?: boolean;
}

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
