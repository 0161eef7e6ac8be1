import { describe, expect, test } from 'vitest';
import { Random } from '#lib/testing/random.ts';
import { gramsOfSearch, gramsOfText, hashProperty } from './grams.ts';
import { mergeable } from './index-due.ts';
import { findPlaces, intersect, keyOf, type Places, PostingsWriter, toPlaces, unite } from './postings.ts';

const has = (text: string, search: string, hidesNumbers = false): boolean => {
  const { visible, hidden } = gramsOfText(text);
  return gramsOfSearch(search).every((gram) => visible.has(gram) || (!hidesNumbers && hidden.has(gram)));
};

test.each([
  ['{"order":"A-1001"}', 'a-1001'],
  ['{"order":"A-1001"}', '100'],
  ['{"order":"A-1001"}', '{ "order" : "A-10'],
  ['{"city":"M\\u00fcnchen"}', 'MÜNCH'],
  ['{"city":"Straße"}', 'STRASSE'],
  ['{"path":"a\\/b\\\\c \\"quoted\\""}', 'a/b\\c "quoted"'],
  ['ΟΔΟΣ', 'οδος'],
  ['one, two\n three', 'TWO three'],
])('%s may have %s', (text, search) => {
  expect(has(text, search)).toBe(true);
});

test.each([
  ['{"order":"A-1001"}', 'A-1002'],
  ['{"city":"München"}', 'Munch'],
])('%s cannot have %s', (text, search) => {
  expect(has(text, search)).toBe(false);
});

test('a search of fewer than three characters in a row has no part of a word', () => {
  for (const search of ['ab', '"a" b', 'a:b, c']) expect(gramsOfSearch(search)).toEqual([]);
});

test('of numbers and user ids readers who never see them find the last four characters', () => {
  const text = '{"from":"\\u00349170555667\\u0037","id":"US.13491208655302741918","order":"12345678"}';
  for (const search of ['4917055', '+49 170', '1349120', 'US.1349']) {
    expect(has(text, search.replace('+49 ', '49')), search).toBe(true);
    expect(has(text, search, true), search).toBe(false);
  }
  for (const search of ['6677', '1918', 'from', '12345678'])
    expect(has(text, search, true), search).toBe(true);
});

test('workflow and outcome are no part of a text', () => {
  const { visible } = gramsOfText('workflow outcome triggered');
  expect(visible).not.toContain(hashProperty('outcome', 'triggered'));
  expect(hashProperty('outcome', 'triggered')).not.toBe(hashProperty('workflow', 'triggered'));
});

describe('postings', () => {
  test('give back the documents of each hash, few and many, hidden and not, of two and of either', () => {
    const random = new Random(7);
    const documents = 1000;
    const written = new Map<string, number[]>();
    const writer = new PostingsWriter();
    const hashes = Array.from({ length: 60 }, () => Math.floor(random.next() * 2 ** 27));
    for (let place = 0; place < documents; place += 1)
      for (const [index, hash] of hashes.entries())
        for (const isHidden of [false, true])
          if (random.next() < (isHidden ? 0.01 : index / 60)) {
            writer.add(hash, isHidden, place);
            written.set(`${hash} ${isHidden}`, [...(written.get(`${hash} ${isHidden}`) ?? []), place]);
          }
    const rows = new Map(writer.toRows(documents).map(({ bucket, entries }) => [bucket, entries]));
    const found: { places: Places; expected: number[] }[] = [];
    for (const hash of hashes)
      for (const isHidden of [false, true]) {
        const { bucket, rest } = keyOf(hash, isHidden);
        const places = findPlaces(rows.get(bucket) ?? Buffer.alloc(0), rest);
        const expected = written.get(`${hash} ${isHidden}`);
        expect(places && toPlaces(places)).toEqual(expected);
        if (places && expected) found.push({ places, expected });
      }
    expect(found.some(({ places }) => Buffer.isBuffer(places))).toBe(true);
    for (const one of found.slice(0, 40))
      for (const other of found.slice(-40)) {
        const both = one.expected.filter((place) => other.expected.includes(place));
        expect(intersect([one.places, other.places])).toEqual(both);
        const any = new Set([...one.expected, ...other.expected]);
        expect(toPlaces(unite([one.places, other.places]) ?? [])).toEqual([...any].toSorted((a, b) => a - b));
      }
  });
});

describe('segments', () => {
  const segments = (...sizes: number[]) =>
    sizes.map((documents, place) => ({
      id: String(place),
      workspace_id: '',
      from_ms: place,
      to_ms: place + 1,
      version: 0,
      documents,
    }));

  test('become one when they fill it, or would not fit any more', () => {
    expect(mergeable(segments(...Array<number>(9).fill(100)), 1000)).toHaveLength(9);
    expect(mergeable(segments(...Array<number>(12).fill(100)), 1000)).toHaveLength(10);
    expect(mergeable(segments(...Array<number>(9).fill(10)), 1000)).toBeUndefined();
    expect(mergeable(segments(400, 400, 400), 1000)).toBeUndefined();
  });

  test('are adjacent', () => {
    const apart = segments(...Array<number>(9).fill(100)).map((segment, place) => ({
      ...segment,
      from_ms: place < 5 ? place : place + 1,
      to_ms: place < 5 ? place + 1 : place + 2,
    }));
    expect(mergeable(apart, 1000)).toBeUndefined();
  });
});
