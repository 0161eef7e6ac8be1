/** Keeps the most recently used values, bounded by their count and by the characters of their texts. */
export class TextCache<Value> {
  readonly #values = new Map<string, Value>();
  readonly #maxCount: number;
  readonly #maxCharacters: number;
  #characters = 0;

  constructor(maxCount: number, maxCharacters: number) {
    this.#maxCount = maxCount;
    this.#maxCharacters = maxCharacters;
  }

  get count(): number {
    return this.#values.size;
  }

  find(text: string): Value | undefined {
    const value = this.#values.get(text);
    if (value === undefined) return undefined;
    // A Map keeps the order of insertion: the first is always the one not used for longest.
    this.#values.delete(text);
    this.#values.set(text, value);
    return value;
  }

  keep(text: string, value: Value): void {
    if (text.length > this.#maxCharacters || this.#values.has(text)) return;
    this.#values.set(text, value);
    this.#characters += text.length;
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#maxCount && this.#characters <= this.#maxCharacters) return;
      this.#values.delete(oldest);
      this.#characters -= oldest.length;
    }
  }
}
