'use client';
import { TwoFactorSetup, type TwoFactorSetupProps } from './two-factor-setup.tsx';

/** The setup, for users whose workspace requires it. */
export const TwoFactorFirst = (props: Omit<TwoFactorSetupProps, 'onDone'>) => (
  <TwoFactorSetup {...props} onDone={() => window.location.assign('/workflows')} />
);
