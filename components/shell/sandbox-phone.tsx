'use client';
import { Smartphone } from 'lucide-react';
import { createContext, type ReactNode, useContext } from 'react';

const SandboxUrl = createContext<string | null>(null);

/**
 * Provides the URL of the sandbox's phones.
 * @param url as browsers reach it; null: messages go to the real platform
 */
export const SandboxPhoneProvider = ({ url, children }: { url: string | null; children: ReactNode }) => (
  <SandboxUrl value={url}>{children}</SandboxUrl>
);

/** Link to the phone that received a message, where the sandbox is the platform; otherwise nothing. */
export function SandboxPhoneLink({ recipient, className }: { recipient?: string; className?: string }) {
  const url = useContext(SandboxUrl);
  if (url === null) return null;
  return (
    <a
      href={phoneHref(url, recipient)}
      target="_blank"
      rel="noreferrer"
      className={
        className ?? 'inline-flex items-center gap-1 text-sm text-accent underline hover:no-underline'
      }
    >
      <Smartphone aria-hidden className="size-4" /> Open the phone
    </a>
  );
}

/** URL of a customer's phone in the sandbox; of all phones where the number is unknown or masked. */
export const phoneHref = (sandboxUrl: string, recipient = ''): string =>
  `${sandboxUrl.replace(/\/+$/, '')}/${/^\d+$/.test(recipient) ? `phone/${recipient}` : ''}`;
