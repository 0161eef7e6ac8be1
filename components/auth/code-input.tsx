import type { ComponentProps } from 'react';
import { Input } from '#components/ui/form/input.tsx';

/** For a code of an authenticator app; browsers and password managers fill it in. */
export const CodeInput = (props: Omit<ComponentProps<typeof Input>, 'name'>) => (
  <Input
    name="code"
    autoComplete="one-time-code"
    autoCapitalize="off"
    spellCheck={false}
    required
    className="font-mono tracking-wide"
    {...props}
  />
);
