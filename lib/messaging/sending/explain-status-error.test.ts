import { expect, test } from 'vitest';
import { explainStatusError } from './find-message.ts';

test.each([
  [
    { code: 132015, title: 'Template is paused' },
    /^Template is paused \(132015\)\. Use another template.*send them again/,
  ],
  [
    { code: 131026, message: 'Message undeliverable.' },
    /^Message undeliverable \(131026\)\. The recipient is/,
  ],
  [{ code: 131049 }, /^Marketing limit of this customer \(131049\)\. .*Wait a day/],
  [{ code: 987654, title: 'Something new' }, /^Something new \(987654\)\.$/],
])('the failure %o of a message says what to do, where that is known', (error, words) => {
  expect(explainStatusError(error)).toMatch(words);
});
