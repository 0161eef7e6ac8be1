import { describe, expect, test } from 'vitest';
import { CONSENT_DEFAULTS, readConsentWord } from './consent-words.ts';

describe('a whole message', () => {
  test.each([
    ['STOP'],
    [' stop \n'],
    ['Stop.'],
    ['“Stop!”'],
    ['Stop\u200b'],
    ['ＳＴＯＰ'],
    ['opt  out'],
    ['arre\u0302t'],
    ['iptal'],
    ['İPTAL'],
    ['Unsubscribe'],
  ])('%j stops', (text) => {
    expect(readConsentWord(text, CONSENT_DEFAULTS)).toBe('stopped');
  });

  test.each([['start'], ['START '], ['Opt in']])('%j gives', (text) => {
    expect(readConsentWord(text, CONSENT_DEFAULTS)).toBe('given');
  });

  test.each([
    ['Stop that, please'],
    ['stopover'],
    ['non-stop'],
    [''],
    ['  '],
    ['…'],
    ['🛑'],
    ['stop'.padEnd(100)],
  ])('%j says nothing', (text) => {
    expect(readConsentWord(text, CONSENT_DEFAULTS)).toBeUndefined();
  });
});

test('a word in both lists stops', () => {
  const words = { stop_words: ['Ende'], resume_words: ['ENDE', 'Go'] };
  expect(readConsentWord('ende', words)).toBe('stopped');
  expect(readConsentWord('go', words)).toBe('given');
  expect(readConsentWord('stop', words)).toBeUndefined();
});

test('a word of punctuation matches no message', () => {
  expect(readConsentWord('?', { stop_words: ['!'], resume_words: [] })).toBeUndefined();
});
