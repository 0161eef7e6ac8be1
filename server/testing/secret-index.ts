const BLOCK = 8;
/** An occurrence of this many characters contains a complete block at any alignment. */
const LEAST_CHARACTERS = 2 * BLOCK - 1;

/** Index of many secrets, of which each text has few: a text is read once, whatever their number. */
export class SecretIndex {
  /** By each block of the ends of secrets, because their beginnings may be equal. */
  readonly #byBlock = new Map<string, Set<string>>();

  add(secret: string): void {
    if (secret.length < LEAST_CHARACTERS) throw new Error(`A secret of ${secret.length} characters.`);
    const end = secret.slice(-LEAST_CHARACTERS);
    for (let at = 0; at < BLOCK; at += 1) {
      const block = end.slice(at, at + BLOCK);
      const secrets = this.#byBlock.get(block) ?? new Set();
      this.#byBlock.set(block, secrets.add(secret));
    }
  }

  /** The secrets found in the text. */
  findIn(text: string): string[] {
    const found = new Set<string>();
    for (let at = 0; at + BLOCK <= text.length; at += BLOCK)
      for (const secret of this.#byBlock.get(text.slice(at, at + BLOCK)) ?? [])
        if (text.includes(secret)) found.add(secret);
    return [...found];
  }
}
