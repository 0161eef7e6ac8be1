export interface StoredFile {
  /** Random, behind the day on which it was stored: nobody guesses it. */
  key: string;
  filename: string;
  mimeType: string;
}

/** Where files that customers sent are kept. */
export interface MediaStore {
  /** @param path a complete file, which stays where it is. @param bytes its size. @param sha256 in hexadecimal */
  put(file: StoredFile, content: { path: string; bytes: number; sha256: string }): Promise<void>;
  /** A link to the file for anyone who has it, until it expires. */
  link(file: StoredFile, expiresAt: Date): Promise<string>;
  /** Removes a file; one that is not there counts as removed. */
  remove(key: string): Promise<void>;
  /** Removes files that were stored on days before this one. @returns how many */
  prune(before: Date): Promise<number>;
}
