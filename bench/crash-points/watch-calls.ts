// Every HTTP request of a simulated process is an operation of that process, whatever library sends it.
import { Agent, type ClientRequest, type IncomingMessage } from 'node:http';
import { type ActingProcess, currentProcess } from './acting-process.ts';
import { callName } from './operation-names.ts';

type AddRequest = (this: Agent, request: ClientRequest, ...rest: unknown[]) => void;

/** @returns stops it. */
export function watchCalls(): () => void {
  const prototype = Agent.prototype as unknown as { addRequest: AddRequest };
  const { addRequest } = prototype;
  prototype.addRequest = function (request, ...rest) {
    const acting = currentProcess();
    if (acting) watch(acting, request, () => addRequest.call(this, request, ...rest));
    else addRequest.call(this, request, ...rest);
  };
  return () => {
    prototype.addRequest = addRequest;
  };
}

/** A request gets its connection once it may start; its response is delivered once the process may use it. */
function watch(acting: ActingProcess, request: ClientRequest, begin: () => void): void {
  const emit = request.emit.bind(request) as (event: string | symbol, ...values: unknown[]) => boolean;
  const answered = Promise.withResolvers<IncomingMessage>();
  answered.promise.catch(() => undefined);
  const broken = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  const cut = (): void => {
    answered.reject(broken);
    request.destroy();
  };
  const forget = acting.keep(cut);
  let hasFailed = false;
  request.emit = ((event: string | symbol, ...values: unknown[]) => {
    if (event === 'response') {
      answered.resolve(values[0] as IncomingMessage);
      return true;
    }
    if (event === 'error') {
      hasFailed = true;
      answered.reject(values[0]);
    }
    if (event === 'close') forget();
    return emit(event, ...values);
  }) as typeof request.emit;
  const exchange = (): Promise<IncomingMessage> => {
    begin();
    return answered.promise;
  };
  acting.operate({ operation: callName(request.method, request.path), effect: 'calls' }, exchange, cut).then(
    (response) => emit('response', response),
    // A request that never got a connection does not report that it was aborted.
    (error: unknown) => (hasFailed ? false : emit('error', error)),
  );
}
