// The thread of a web process that parses large bodies and renders responses from them.
import { parentPort } from 'node:worker_threads';
import { serveBodies } from '#lib/webhooks/body-thread/serve.ts';

if (!parentPort) throw new Error('This program runs as a thread of server/web.ts.');
serveBodies(parentPort);
