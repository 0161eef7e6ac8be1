import type { DemoAccount } from '../identity/demo-accounts.ts';
import type { Bearer } from '../identity/bearer.ts';
import type { World } from '../world.ts';

/** One authenticated call, for handlers. */
export type GraphCall = {
  world: World;
  method: string;
  /** The version of the response, such as `v18.0`, which is used in its links. */
  version: string;
  /** Path after the version, decoded. */
  path: string;
  query: URLSearchParams;
  /** The JSON or form-encoded body; empty for multipart. */
  body: Record<string, unknown>;
  /** The form of a multipart body. */
  form: FormData | null;
  /** The body's bytes, where it is a file. */
  raw: Buffer;
  /** The header `file_offset` of the resumable upload; NaN without one. */
  fileOffset: number;
  /** Headers of the response; handlers add theirs. */
  headers: Record<string, string>;
  bearer: Bearer;
  user: DemoAccount;
};

export type GraphAnswer = Record<string, unknown>;
