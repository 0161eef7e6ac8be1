import { expect, test } from 'vitest';
import { hashRecoveryCode } from './recovery-codes.ts';

test.each(['h3kd-9mva-72rt-xq0c', 'H3KD-9MVA-72RT-XQ0C', 'h3kd9mva72rtxq0c', ' h3kd 9mva 72rt xq0c '])(
  'a recovery code is the same one typed as %j',
  (typed) => {
    expect(hashRecoveryCode(typed)).toEqual(hashRecoveryCode('h3kd-9mva-72rt-xq0c'));
  },
);
