// What the two doors (plain Node http and the Next route handlers) hand to the one function that receives webhooks.

/** Which of a workflow's URLs was called. */
export type WebhookKind = 'production' | 'test';

/** @returns whether more is wanted */
export type CollectChunk = (chunk: Uint8Array) => boolean | Promise<boolean>;

export interface WebhookRequest {
  kind: WebhookKind;
  token: string;
  method: string;
  /** What stands behind the `?` of the URL. */
  search?: string | undefined;
  /** Names in lower case; values that came several times joined by commas. */
  headers: Record<string, string>;
  /** The caller's IP address, as the nearest proxy that is trusted saw it; left out: not known. */
  address?: () => string | undefined;
  /** Content-Length as declared; undefined for chunked bodies. */
  declaredBytes: number | undefined;
  /**
   * Hands every chunk of the body to the collector until it wants no more; false when the caller went away. A collector
   * that needs time promises its answer, and nothing is read until then.
   */
  readBody(collect: CollectChunk): Promise<boolean>;
}

export interface WebhookAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Why it was refused: the error's code. */
  refused?: string;
  /** It is what the workflow gave. */
  isOutput?: boolean;
}
