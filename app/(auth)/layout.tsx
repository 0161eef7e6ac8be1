import type { ReactNode } from 'react';
import { Logo } from '#components/shell/logo.tsx';

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col items-center px-4 py-10 sm:justify-center">
      <header className="mb-6 flex items-center gap-2.5 text-xl font-semibold tracking-tight">
        <Logo className="size-9" />
        Patchbay
      </header>
      <main className="w-full max-w-md rounded-xl border border-line bg-surface p-6 shadow-raised sm:p-8">
        {children}
      </main>
      <footer className="mt-6 text-sm text-muted">Webhook in, conversation out.</footer>
    </div>
  );
}
