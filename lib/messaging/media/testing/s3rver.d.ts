// The part of s3rver that tests use; it has no types.
declare module 's3rver' {
  interface Options {
    port: number;
    silent: boolean;
    directory: string;
    configureBuckets: { name: string; configs: string[] }[];
  }

  export default class S3rver {
    constructor(options: Options);
    /** @returns the address that it listens on */
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
