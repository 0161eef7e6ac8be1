import { escapeHtml, page } from '../http/html.ts';

/** The page for users whom the app sent with an invalid request. */
export const refusalPage = (error: string, detail: string): string =>
  page({
    title: 'This sign-in cannot continue',
    styles: ['login.css'],
    body: `<main class="card"><h1>This sign-in cannot continue</h1>
<p>The sandbox refused the request that the app sent: <strong>${escapeHtml(error)}</strong></p>
<p class="detail">${escapeHtml(detail)}</p>
<p>Go back to the app and start again. If it comes again, compare the client id and the redirect URI in the
app's settings with those the sandbox was started with.</p></main>`,
  });
