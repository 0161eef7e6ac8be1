import { type Context, interactionPolicy } from 'oidc-provider';

const { Check } = interactionPolicy;

/**
 * Asks for the account every time, also when somebody is still signed in: a connection is usually made for
 * another account than the last one, and a page that comes every time is one that tests can rely on.
 */
export function createInteractionPolicy(): ReturnType<typeof interactionPolicy.base> {
  const policy = interactionPolicy.base();
  policy
    .get('login')
    .checks.add(
      new Check('account_choice', 'select an account', (context: Context) =>
        context.oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
      ),
    );
  return policy;
}
