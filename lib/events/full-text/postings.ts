// Which documents of a segment have which part of a word: the form in which the index is stored. A row has the entries of one
// bucket of hashes; an entry is the rest of the hash, and the places of its documents, as differences or, of many, as bits.

const BUCKET_BITS = 12;
const BUCKETS = 2 ** BUCKET_BITS;

/** By a hash, which has 27 bits, and whether it is hidden from readers who never see numbers. */
interface Key {
  bucket: number;
  /** 16 bits. */
  rest: number;
}

export const keyOf = (hash: number, isHidden: boolean): Key => ({
  bucket: hash % BUCKETS,
  rest: ((hash >>> BUCKET_BITS) << 1) | (isHidden ? 1 : 0),
});

/** Collects the documents of a segment, in order. */
export class PostingsWriter {
  readonly #places = new Map<number, number[]>();

  add(hash: number, isHidden: boolean, place: number): void {
    const key = hash * 2 + (isHidden ? 1 : 0);
    const places = this.#places.get(key);
    if (places) places.push(place);
    else this.#places.set(key, [place]);
  }

  /** @param documents how many the segment has */
  toRows(documents: number): { bucket: number; entries: Buffer }[] {
    const rows = new Map<number, { rest: number; places: readonly number[] }[]>();
    for (const [key, places] of this.#places) {
      const { bucket, rest } = keyOf(Math.floor(key / 2), key % 2 === 1);
      const row = rows.get(bucket);
      if (row) row.push({ rest, places });
      else rows.set(bucket, [{ rest, places }]);
    }
    return [...rows]
      .toSorted(([a], [b]) => a - b)
      .map(([bucket, entries]) => ({
        bucket,
        entries: Buffer.concat(entries.map((entry) => encodeEntry(entry, documents))),
      }));
  }
}

function encodeEntry(
  { rest, places }: { rest: number; places: readonly number[] },
  documents: number,
): Buffer {
  const bitmapBytes = Math.ceil(documents / 8);
  const differences: number[] = [];
  let before = -1;
  for (const place of places) {
    pushVarint(differences, place - before - 1);
    before = place;
  }
  const isBitmap = differences.length > bitmapBytes;
  const content = isBitmap ? toBitmap(places, bitmapBytes) : Buffer.from(differences);
  const head = [rest & 0xff, rest >>> 8];
  pushVarint(head, content.byteLength * 2 + (isBitmap ? 1 : 0));
  return Buffer.concat([Buffer.from(head), content]);
}

function toBitmap(places: readonly number[], bytes: number): Buffer {
  const bitmap = Buffer.alloc(bytes);
  for (const place of places) bitmap[place >>> 3] = (bitmap[place >>> 3] ?? 0) | (1 << (place & 7));
  return bitmap;
}

function pushVarint(to: number[], value: number): void {
  let left = value;
  while (left > 0x7f) {
    to.push((left & 0x7f) | 0x80);
    left >>>= 7;
  }
  to.push(left);
}

/** Of documents: ascending, or as bits. */
export type Places = readonly number[] | Buffer;

/** The documents that a row has for the rest of a hash; undefined: none. */
export function findPlaces(entries: Buffer, rest: number): Places | undefined {
  const reader = new Reader(entries);
  while (!reader.isAtEnd) {
    const found = reader.byte() | (reader.byte() << 8);
    const size = reader.varint();
    const content = reader.take(size >>> 1);
    if (found === rest) return size % 2 === 1 ? content : fromDifferences(content);
  }
  return undefined;
}

const isIn = (bitmap: Buffer, place: number): boolean =>
  ((bitmap[place >>> 3] ?? 0) & (1 << (place & 7))) !== 0;

export const toPlaces = (places: Places): readonly number[] =>
  Buffer.isBuffer(places) ? fromBitmap(places) : places;

/** The documents that are in any of these. */
export function unite(all: readonly Places[]): Places | undefined {
  if (all.length <= 1) return all[0];
  const bitmap = all.find((places) => Buffer.isBuffer(places));
  if (!bitmap) return [...new Set(all.flatMap(toPlaces))].toSorted((a, b) => a - b);
  const united = Buffer.from(bitmap);
  for (const place of all.filter((places) => places !== bitmap).flatMap(toPlaces))
    united[place >>> 3] = (united[place >>> 3] ?? 0) | (1 << (place & 7));
  return united;
}

/** The documents that are in all of these, ascending. Begins with the fewest; bits of many are only looked up. */
export function intersect(all: readonly Places[]): readonly number[] {
  const lists = all.filter((places): places is readonly number[] => !Buffer.isBuffer(places));
  const bitmaps = all.filter((places) => Buffer.isBuffer(places));
  const [fewest, ...others] = lists.toSorted((a, b) => a.length - b.length);
  let left = fewest ?? fromBitmap(bitmaps.reduce(andBits));
  for (const other of others) left = inBoth(left, other);
  return fewest ? left.filter((place) => bitmaps.every((bitmap) => isIn(bitmap, place))) : left;
}

const andBits = (one: Buffer, other: Buffer): Buffer =>
  Buffer.from(one.map((byte, index) => byte & (other[index] ?? 0)));

function inBoth(few: readonly number[], many: readonly number[]): number[] {
  let at = 0;
  return few.filter((place) => {
    while ((many[at] ?? Infinity) < place) at += 1;
    return many[at] === place;
  });
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.byteLength;
  }

  byte(): number {
    return this.#bytes[this.#at++] ?? 0;
  }

  varint(): number {
    for (let value = 0, shift = 0; ; shift += 7) {
      const next = this.byte();
      value |= (next & 0x7f) << shift;
      if (next <= 0x7f) return value;
    }
  }

  take(count: number): Buffer {
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }
}

function fromBitmap(bitmap: Buffer): number[] {
  const places: number[] = [];
  bitmap.forEach((byte, index) => {
    for (let bit = 0; bit < 8; bit += 1) if (byte & (1 << bit)) places.push(index * 8 + bit);
  });
  return places;
}

function fromDifferences(differences: Buffer): number[] {
  const reader = new Reader(differences);
  const places: number[] = [];
  let before = -1;
  while (!reader.isAtEnd) {
    before += reader.varint() + 1;
    places.push(before);
  }
  return places;
}
