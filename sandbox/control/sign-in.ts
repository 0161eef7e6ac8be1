import { BadRequest } from '../http/exchange.ts';
import type { World } from '../world.ts';

const MOST_STEPS = 12;

/**
 * Goes through the login and consent pages as a browser would, and answers where it ends: the redirect URI of the
 * app with `code` and `state`, or with `error`. Throws BadRequest if the identity provider shows an error page.
 */
export async function signIn(
  world: World,
  input: {
    authorizeUrl: string;
    account: string;
    scopes?: string[] | undefined;
    decision: 'allow' | 'cancel';
  },
): Promise<{ redirect_url: string }> {
  const cookies = new Map<string, string>();
  let url = new URL(input.authorizeUrl);
  const origins = [url.origin, new URL(world.options.publicUrl).origin];
  let form: URLSearchParams | null = null;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const response = await visit(url, cookies, form);
    const location = response.headers.get('location');
    if (location !== null) {
      url = new URL(location, url);
      form = null;
      if (!origins.includes(url.origin)) return { redirect_url: url.href };
      continue;
    }
    const html = await response.text();
    if (!response.ok)
      throw new BadRequest(
        `The identity provider answered ${response.status}: ${html.replaceAll(/<[^>]+>/g, ' ')}`,
      );
    form = fillForm(html, input);
  }
  throw new BadRequest('The sign-in did not come to an end.');
}

async function visit(
  url: URL,
  cookies: Map<string, string>,
  form: URLSearchParams | null,
): Promise<Response> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    ...(form ? { method: 'POST', body: form } : {}),
  });
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }
  return response;
}

function fillForm(
  html: string,
  input: { account: string; scopes?: string[] | undefined; decision: 'allow' | 'cancel' },
): URLSearchParams {
  if (html.includes('name="account"')) return new URLSearchParams({ account: input.account });
  const form = new URLSearchParams({ decision: input.decision });
  for (const [, scope = ''] of html.matchAll(/name="scope" value="([^"]+)"/g)) {
    if (input.scopes === undefined || input.scopes.includes(scope)) form.append('scope', scope);
  }
  return form;
}
