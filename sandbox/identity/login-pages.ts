import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { Interaction } from 'oidc-provider';
import { parseForm, readBody, sendHtml } from '../http/exchange.ts';
import { escapeHtml, page } from '../http/html.ts';
import { DEMO_ACCOUNTS, findDemoAccount } from './demo-accounts.ts';
import { SCOPE_WORDS } from './scopes.ts';

/** `GET|POST /login/{uid}`: select a demo account, then allow the requested scopes. */
export async function handleLogin(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  signInClientId: string,
): Promise<void> {
  let interaction: Interaction;
  try {
    interaction = await provider.interactionDetails(request, response);
  } catch {
    return sendHtml(response, 400, expiredPage());
  }
  if (request.method !== 'POST') {
    return sendHtml(
      response,
      200,
      interaction.prompt.name === 'login' ? loginPage(interaction, signInClientId) : consentPage(interaction),
    );
  }
  const form = await parseForm(await readBody(request), request.headers['content-type'] ?? '');
  if (form.get('decision') === 'cancel') {
    const result = { error: 'access_denied', error_description: 'The user did not allow it.' };
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }
  if (interaction.prompt.name === 'login') {
    const account = findDemoAccount(fieldOf(form, 'account'));
    if (!account) return sendHtml(response, 400, loginPage(interaction, signInClientId));
    await forgetOtherAccount(provider, interaction, account.id);
    return provider.interactionFinished(
      request,
      response,
      { login: { accountId: account.id } },
      { mergeWithLastSubmission: false },
    );
  }
  const grantId = await saveConsent(
    provider,
    interaction,
    form.getAll('scope').filter((scope) => typeof scope === 'string'),
  );
  return provider.interactionFinished(request, response, { consent: { grantId } });
}

function fieldOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** Without this, oidc-provider sends a page with a script that signs the other account out first. */
async function forgetOtherAccount(
  provider: Provider,
  interaction: Interaction,
  accountId: string,
): Promise<void> {
  if (!interaction.session || interaction.session.accountId === accountId) return;
  const session = await provider.Session.findByUid(interaction.session.uid);
  await session?.destroy();
  interaction.session = undefined;
  await interaction.save(interaction.exp - Math.floor(Date.now() / 1000));
}

async function saveConsent(provider: Provider, interaction: Interaction, allowed: string[]): Promise<string> {
  const grant = new provider.Grant({
    accountId: interaction.session?.accountId ?? '',
    clientId: interaction.params.client_id ?? '',
  });
  for (const scope of requestedScopes(interaction)) {
    grant.addOIDCScope(scope);
    if (scope !== 'openid' && !allowed.includes(scope)) grant.rejectOIDCScope(scope);
  }
  return grant.save();
}

function requestedScopes(interaction: Interaction): string[] {
  return (interaction.params.scope ?? '').split(' ').filter((scope) => scope in SCOPE_WORDS);
}

function loginPage({ params }: Interaction, signInClientId: string): string {
  const offered = DEMO_ACCOUNTS.filter(({ forSignIn }) => !forSignIn || params.client_id === signInClientId);
  const accounts = offered.map(
    ({ id, name, about }) => `<button class="account" name="account" value="${id}">
<span class="avatar" aria-hidden="true">${escapeHtml(name.slice(0, 1))}</span>
<span><strong>${escapeHtml(name)}</strong><small>${escapeHtml(about)}</small></span></button>`,
  );
  return page({
    title: 'Select an account',
    styles: ['login.css'],
    body: `<main class="card">
<p class="badge">Sandbox identity login</p>
<h1>Select an account</h1>
<p>to continue to <strong>${escapeHtml(params.client_id ?? 'the app')}</strong>. These are demo accounts: no password.</p>
<form method="post" class="accounts">${accounts.join('\n')}</form>
<form method="post"><button class="quiet" name="decision" value="cancel">Cancel</button></form>
</main>`,
  });
}

function consentPage(interaction: Interaction): string {
  const account = findDemoAccount(interaction.session?.accountId ?? '');
  const scopes = requestedScopes(interaction).map((scope) => {
    const { title, detail } = SCOPE_WORDS[scope] ?? { title: scope, detail: '' };
    const fixed = scope === 'openid' ? ' disabled' : '';
    return `<label class="scope"><input type="checkbox" name="scope" value="${scope}" checked${fixed}>
<span><strong>${title}</strong><small>${detail}</small><code>${scope}</code></span></label>`;
  });
  return page({
    title: 'Allow access',
    styles: ['login.css'],
    body: `<main class="card">
<p class="badge">Sandbox identity login</p>
<h1>Allow access?</h1>
<p><strong>${escapeHtml(interaction.params.client_id ?? 'The app')}</strong> wants to act for
<strong>${escapeHtml(account?.name ?? 'you')}</strong>. Clear anything you don’t want to allow.</p>
<form method="post">
<fieldset><legend>It wants to</legend>${scopes.join('\n')}</fieldset>
<div class="actions"><button class="quiet" name="decision" value="cancel">Cancel</button>
<button class="primary" name="decision" value="allow">Allow</button></div>
</form></main>`,
  });
}

function expiredPage(): string {
  return page({
    title: 'This login has ended',
    styles: ['login.css'],
    body: `<main class="card"><h1>This login has ended</h1>
<p>It was already completed, or the sandbox was restarted. Go back to the app and start again.</p></main>`,
  });
}
