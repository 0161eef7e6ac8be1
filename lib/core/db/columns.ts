// The rows of a statement as columns: one parameter each, in PostgreSQL's binary format, so that nothing is escaped here
// and nothing is parsed there.

/** Elements: a text of 36 characters, a number, a text, bytes, milliseconds since 1970. */
export type ColumnType = 'uuid' | 'int' | 'text' | 'bytea' | 'timestamptz';

export type ColumnTypes = Readonly<Record<string, ColumnType>>;

type Value = string | number | Buffer | null | undefined;

/** PostgreSQL's `pg_type.oid`. */
const OIDS: Record<ColumnType, number> = { uuid: 2950, int: 23, text: 25, bytea: 17, timestamptz: 1184 };
/** PostgreSQL counts from 2000. */
const FIRST_INSTANT_MS = 946_684_800_000;
const TWO_32 = 2 ** 32;

/** SQL of a row source with these columns. @param first number of its first parameter */
export function unnest(types: ColumnTypes, first: number): string {
  const parameters = Object.values(types).map((type, index) => `$${first + index}::${type}[]`);
  return `unnest(${parameters.join(', ')})`;
}

export const namesOf = (types: ColumnTypes): string => Object.keys(types).join(', ');

export class Columns {
  /** The statement's parameters, in the order of the types. */
  readonly parameters: Column[];

  constructor(types: ColumnTypes) {
    this.parameters = Object.values(types).map((type) => new Column(type));
  }

  /** @param row its values in the order of the types; what is missing at its end is null */
  add(row: readonly Value[]): void {
    for (let index = 0; index < this.parameters.length; index += 1) this.parameters[index]?.add(row[index]);
  }
}

export class Column {
  readonly type: ColumnType;
  /** Empty while all values are null: `unnest` fills up with nulls. */
  values: Value[] = [];
  #rows = 0;

  constructor(type: ColumnType) {
    this.type = type;
  }

  add(value: Value): void {
    if (value === null || value === undefined) {
      this.#rows += 1;
      if (this.values.length > 0) this.values.push(null);
      return;
    }
    while (this.values.length < this.#rows) this.values.push(null);
    this.values.push(value);
    this.#rows += 1;
  }

  /** Called by node-postgres. */
  toPostgres(): Buffer {
    return encode(this.type, this.values);
  }
}

function encode(type: ColumnType, values: readonly Value[]): Buffer {
  const writer = new ByteWriter();
  writer.int(values.length === 0 ? 0 : 1);
  writer.int(1);
  writer.int(OIDS[type]);
  if (values.length === 0) return writer.toBuffer();
  writer.int(values.length);
  writer.int(1);
  for (const value of values) {
    if (value === null || value === undefined) writer.int(-1);
    else writeValue(writer, type, value);
  }
  return writer.toBuffer();
}

function writeValue(writer: ByteWriter, type: ColumnType, value: string | number | Buffer): void {
  switch (type) {
    case 'uuid':
      return writer.uuid(value as string);
    case 'int':
      writer.int(4);
      return writer.int(value as number);
    case 'text':
      return writer.text(value as string);
    case 'bytea':
      return writer.bytes(value as Buffer);
    case 'timestamptz':
      return writer.instant(value as number);
  }
}

/** Shared by all statements: the written bytes are copied out before the next one is encoded. */
let scratch = Buffer.allocUnsafe(64 * 1024);
const MAX_KEPT_BYTES = 1024 * 1024;

class ByteWriter {
  #at = 0;

  int(value: number): void {
    this.#reserve(4);
    this.#at = scratch.writeInt32BE(value, this.#at);
  }

  text(value: string): void {
    const most = value.length * 3;
    this.#reserve(4 + most);
    const written = scratch.write(value, this.#at + 4);
    scratch.writeInt32BE(written, this.#at);
    this.#at += 4 + written;
  }

  bytes(value: Buffer): void {
    this.int(value.byteLength);
    this.#reserve(value.byteLength);
    this.#at += value.copy(scratch, this.#at);
  }

  uuid(value: string): void {
    this.int(16);
    this.#reserve(16);
    for (let index = 0; index < 36; index += 2) {
      if (value.charCodeAt(index) === DASH) index += 1;
      scratch[this.#at] = (nibble(value.charCodeAt(index)) << 4) | nibble(value.charCodeAt(index + 1));
      this.#at += 1;
    }
  }

  instant(milliseconds: number): void {
    const microseconds = Math.round((milliseconds - FIRST_INSTANT_MS) * 1000);
    this.#reserve(12);
    scratch.writeInt32BE(8, this.#at);
    scratch.writeInt32BE(Math.floor(microseconds / TWO_32), this.#at + 4);
    scratch.writeUInt32BE(microseconds - Math.floor(microseconds / TWO_32) * TWO_32, this.#at + 8);
    this.#at += 12;
  }

  toBuffer(): Buffer {
    const written = Buffer.from(scratch.subarray(0, this.#at));
    if (scratch.byteLength > MAX_KEPT_BYTES) scratch = Buffer.allocUnsafe(MAX_KEPT_BYTES);
    return written;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= scratch.byteLength) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * scratch.byteLength, this.#at + bytes));
    scratch.copy(larger, 0, 0, this.#at);
    scratch = larger;
  }
}

const DASH = 45;

/** Value of a hexadecimal digit. */
const nibble = (code: number): number => (code <= 57 ? code - 48 : (code | 32) - 87);
