// The messaging platform as cheap as it can be: accepts every message, and answers every other request with a constant.
import { createServer } from 'node:http';

let messages = 0;
const started = Date.now();

const server = createServer((req, res) => {
  let body = '';
  req.setEncoding('utf8');
  req.on('data', (part: string) => (body += part));
  req.on('end', () => {
    const answer = req.url?.split('?')[0]?.endsWith('/messages') ? accept(body) : '{"status":"received"}';
    res.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(answer),
    });
    res.end(answer);
  });
});

function accept(body: string): string {
  const to = /"to":"(\d+)"/.exec(body)?.[1] ?? '';
  messages += 1;
  const id = `wamid.${started}.${process.pid}.${messages}`;
  return `{"messaging_product":"whatsapp","contacts":[{"input":"${to}","wa_id":"${to}"}],"messages":[{"id":"${id}"}]}`;
}

server.keepAliveTimeout = 60_000;
server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.({ type: 'ready' }));
process.on('disconnect', () => process.exit(0));
