import Link from 'next/link';

/** Link at the end of a page for signed-out users. */
export const BackToSignIn = () => (
  <p className="mt-5 text-center text-sm">
    <Link href="/sign-in" className="font-medium text-accent underline underline-offset-2">
      Back to sign in
    </Link>
  </p>
);
