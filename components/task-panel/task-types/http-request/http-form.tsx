'use client';
import { CredentialSection } from './credential-section.tsx';
import { CurlImport } from './curl-import.tsx';
import type { SettingFields } from '../task-look.ts';

/** The plain form, with curl import and authentication. */
export const HttpForm = ({ Fields }: { Fields: SettingFields }) => (
  <>
    <CurlImport />
    <Fields />
    <CredentialSection />
  </>
);
