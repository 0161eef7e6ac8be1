import type { Metadata, Viewport } from 'next';
import { cookies, headers } from 'next/headers';
import type { ReactNode } from 'react';
import { CspScript } from '#components/shell/csp-script.tsx';
import { HydrationMark } from '#components/shell/hydration-mark.tsx';
import { readTheme, THEME_COOKIE } from '#components/shell/theme.ts';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'Patchbay', template: '%s · Patchbay' },
  description: 'Webhook in, conversation out.',
};

export const viewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f5f4ef' },
    { media: '(prefers-color-scheme: dark)', color: '#0d1418' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = readTheme((await cookies()).get(THEME_COOKIE)?.value);
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  return (
    <html lang="en" data-theme={theme}>
      <head>
        <CspScript nonce={nonce} />
      </head>
      <body>
        {children}
        <HydrationMark />
      </body>
    </html>
  );
}
