import { describe, expect, it } from 'vitest';
import { ArrivingBody, BytesInFlight, LARGE_BODY_BYTES } from './body.ts';

const bytesOf = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, index) => index % 251));

function arrive(bytes: Buffer, chunkBytes: number): ArrivingBody {
  const body = new ArrivingBody();
  for (let at = 0; at < bytes.length; at += chunkBytes) body.add(bytes.subarray(at, at + chunkBytes));
  return body;
}

describe('a body as it arrives', () => {
  it.each([1, 7, 1023, 1024, 65_536, 70_000, 300_000])(
    'is whole again after chunks of %i bytes',
    (chunkBytes) => {
      const bytes = bytesOf(200_000);
      expect(arrive(bytes, chunkBytes).take().equals(bytes)).toBe(true);
      expect(arrive(bytes, chunkBytes).take(new SharedArrayBuffer(200_000)).equals(bytes)).toBe(true);
      expect(arrive(bytes, chunkBytes).takeStart(1000).equals(bytes.subarray(0, 1000))).toBe(true);
    },
  );

  it('one chunk is not copied', () => {
    const bytes = bytesOf(800);
    expect(arrive(bytes, 800).take().buffer).toBe(bytes.buffer);
  });

  it('an empty one has no bytes', () => {
    expect(new ArrivingBody().take().byteLength).toBe(0);
  });

  it('in chunks of one byte takes little more memory than it has bytes', () => {
    const before = process.memoryUsage();
    const body = new ArrivingBody();
    for (let count = 0; count < 1_000_000; count += 1) body.add(Uint8Array.of(count % 251));
    const after = process.memoryUsage();
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(16_000_000);
    expect(body.take().byteLength).toBe(1_000_000);
  });
});

describe('bytes in flight', () => {
  it('large bodies leave room for small ones', () => {
    const limit = 8 * LARGE_BODY_BYTES;
    const inFlight = new BytesInFlight(limit);
    const large = 2 * LARGE_BODY_BYTES;
    for (let count = 0; count < 3; count += 1) expect(inFlight.tryAdd(large, 0)).toBe(true);
    expect(inFlight.tryAdd(1, LARGE_BODY_BYTES)).toBe(false);
    expect(inFlight.tryAdd(LARGE_BODY_BYTES, 0)).toBe(true);
    expect(inFlight.tryAdd(LARGE_BODY_BYTES, 0)).toBe(true);
    expect(inFlight.tryAdd(1, 0)).toBe(false);
    inFlight.remove(large);
    expect(inFlight.tryAdd(1, 0)).toBe(true);
  });
});
