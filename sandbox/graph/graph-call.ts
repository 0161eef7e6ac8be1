import type { DemoAccount } from '../identity/demo-accounts.ts';
import type { Bearer } from '../identity/bearer.ts';
import type { World } from '../world.ts';

/** One authenticated call, as the handlers get it. */
export type GraphCall = {
  world: World;
  method: string;
  /** The version that answers, such as `v18.0`: in links of answers. */
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
  /** Of the answer; handlers add theirs. */
  headers: Record<string, string>;
  bearer: Bearer;
  user: DemoAccount;
};

export type GraphAnswer = Record<string, unknown>;
