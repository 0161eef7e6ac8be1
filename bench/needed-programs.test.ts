import { expect, test } from 'vitest';
import { describeMissing } from './needed-programs.ts';

test('what is missing is named with the command that installs it', () => {
  const isInstalled = (program: string): boolean => program === 'ip';
  expect(describeMissing(['ip', 'patroni', 'etcd'], isInstalled)).toBe(
    'Not installed: patroni, etcd. Install: apt-get install -y patroni postgresql etcd-server',
  );
  expect(describeMissing(['ip'], isInstalled)).toBeUndefined();
});
