import Link from 'next/link';
import { Logo } from '#components/shell/logo.tsx';
import { buttonClass } from '#components/ui/button-class.ts';

export default function NotFound() {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-3 px-4 text-center">
      <Logo className="size-12" />
      <h1 className="text-xl font-semibold">Page not found</h1>
      <p className="text-muted">The address is misspelled, or the page has moved.</p>
      <Link href="/workflows" className={buttonClass({ variant: 'primary' })}>
        Go to Workflows
      </Link>
    </main>
  );
}
