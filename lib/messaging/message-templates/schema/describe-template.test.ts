import { expect, test } from 'vitest';
import { quickRepliesOf } from './describe-template.ts';

const BODY = { type: 'BODY', text: 'Will you come?' };

test('platform-conversation §5: quick replies are counted over all buttons, whatever the others are', () => {
  const buttons = [
    { type: 'VOICE_CALL' },
    { type: 'QUICK_REPLY', text: 'Yes' },
    { type: 'QUICK_REPLY', text: 'No' },
    { type: 'COPY_CODE', example: '25OFF' },
  ];
  expect(quickRepliesOf([BODY, { type: 'BUTTONS', buttons }])).toEqual([
    { title: 'Yes', index: 1 },
    { title: 'No', index: 2 },
  ]);
});

test.each([[[BODY]], [null], ['text'], [[{ type: 'BUTTONS', buttons: 'none' }]]])(
  'there are no quick replies in %j',
  (components) => {
    expect(quickRepliesOf(components)).toEqual([]);
  },
);
