'use client';
import { TwoFactorSetup, type TwoFactorSetupProps } from './two-factor-setup.tsx';

/** The setup, for those who get into their workspace with it only. */
export const TwoFactorFirst = (props: Omit<TwoFactorSetupProps, 'onDone'>) => (
  <TwoFactorSetup {...props} onDone={() => window.location.assign('/workflows')} />
);
