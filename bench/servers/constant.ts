// (a) Bare Node http that reads the body and responds with a constant: the limit of the runtime and the load generator.
import { createServer } from 'node:http';

const server = createServer((req, res) => {
  req.on('data', () => undefined);
  req.on('end', () => {
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 21 });
    res.end('{"status":"received"}');
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.({ type: 'ready' }));
process.on('disconnect', () => process.exit(0));
