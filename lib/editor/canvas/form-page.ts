// A form for the user's own website that sends its fields to a webhook.
import type { JsonObject } from '#lib/core/json/value.ts';
import { escapeXml } from '#lib/variables/escape.ts';

/** A variable of the redirect URL that is a field of the form. */
const FIELD = /\{\{\s*([A-Za-z_][\w-]*)\s*\}\}/g;

interface FormPage {
  /** The production URL. */
  url: string;
  /** The workflow's input: each of its texts and numbers becomes a field. */
  body: JsonObject;
  /** As in the trigger's settings; empty: the visitor stays on the page. */
  redirectUrl: string;
}

/**
 * HTML with a script that posts the fields as JSON and then opens the redirect URL. Webhooks accept JSON only and send no
 * CORS headers, so that a page of another origin can send but not read. A Blob without a type is the only body for which
 * `fetch` sends no Content-Type: a string would be `text/plain`, and `application/json` would need a preflight (Fetch
 * standard, "CORS-safelisted request-header").
 */
export function formPage({ url, body, redirectUrl }: FormPage): string {
  const names = Object.keys(body).filter((name) => ['string', 'number'].includes(typeof body[name]));
  const inputs = names.map(
    (name) => `  <label>${toLabel(name)} <input name="${escapeXml(name)}" required></label>`,
  );
  return `<form id="webhook-form">
${inputs.join('\n')}
  <button>Send</button>
</form>
<script>
  const form = document.getElementById('webhook-form');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(form));
    try {
      // A Blob without a type: the browser sends it to another origin without a preflight.
      await fetch(${toScriptText(url)}, {
        method: 'POST',
        mode: 'no-cors',
        body: new Blob([JSON.stringify(fields)]),
      });
    } catch {
      alert('The form could not be sent. Try again.');
      return;
    }
    ${afterwards(redirectUrl, names)}
  });
</script>`;
}

function afterwards(redirectUrl: string, names: readonly string[]): string {
  if (redirectUrl === '') return `form.replaceWith('Thank you!');`;
  const parts: string[] = [];
  let end = 0;
  for (const match of redirectUrl.matchAll(FIELD)) {
    const name = match[1] ?? '';
    parts.push(toScriptText(redirectUrl.slice(end, match.index)));
    parts.push(names.includes(name) ? `encodeURIComponent(fields[${toScriptText(name)}])` : toScriptText(''));
    end = match.index + match[0].length;
  }
  parts.push(toScriptText(redirectUrl.slice(end)));
  const shown = parts.filter((part) => part !== toScriptText(''));
  return `location.assign(${shown.join(' + ')});`;
}

function toLabel(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim() || name;
  return escapeXml(words.charAt(0).toUpperCase() + words.slice(1));
}

/** A string literal that cannot end itself or its script element. */
const toScriptText = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')}'`;
