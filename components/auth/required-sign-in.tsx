import Link from 'next/link';
import { Callout } from '#components/ui/callout.tsx';
import { ProviderButton } from './provider-button.tsx';

export interface RequiredSignInProps {
  returnPath: string;
  /** Why signing in with the identity provider has failed; empty: it has not. */
  problem: string;
  /** Null: sign-in with one is required, but none is set up any more. */
  provider: { id: string; name: string } | null;
}

/** Sign-in where the identity provider is required. */
export const RequiredSignIn = ({ returnPath, problem, provider }: RequiredSignInProps) => (
  <div className="mt-5 flex flex-col gap-4">
    {problem && (
      <Callout tone="danger" live>
        {problem}
      </Callout>
    )}
    {provider ? (
      <ProviderButton {...provider} returnPath={returnPath} alone />
    ) : (
      <Callout tone="warning" title="The identity provider is not set up">
        This installation requires it. Ask your administrator to set <code>AUTH_OIDC_ISSUER</code>, or to
        allow passwords again with <code>patchbay allow-passwords</code>.
      </Callout>
    )}
    <p className="text-center text-sm">
      <Link
        href={`/sign-in?${new URLSearchParams({ break_glass: '1', next: returnPath }).toString()}`}
        className="text-muted underline underline-offset-2"
      >
        Break-glass sign-in
      </Link>
    </p>
  </div>
);
