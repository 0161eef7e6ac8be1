// Every HTTP request of a simulated process is an operation of that process.
import type { Dispatcher } from 'undici';
import Client from 'undici/lib/dispatcher/client.js';
import { type ActingProcess, currentProcess } from './acting-process.ts';
import { callName } from './operation-names.ts';

type Handler = Dispatcher.DispatchHandler;
type Dispatch = (this: Client, request: Dispatcher.DispatchOptions, handler: Handler) => boolean;
type Head = Parameters<NonNullable<Handler['onResponseStart']>>;

/** @returns stops it. */
export function watchCalls(): () => void {
  const prototype = Client.prototype as unknown as { dispatch: Dispatch };
  const { dispatch } = prototype;
  prototype.dispatch = function (request, handler) {
    const acting = currentProcess();
    if (!acting) return dispatch.call(this, request, handler);
    const cut = (): void => void this.destroy(broken());
    watch(acting, callName(request.method, request.path), handler, cut, (watched) => {
      dispatch.call(this, request, watched);
    });
    return true;
  };
  return () => {
    prototype.dispatch = dispatch;
  };
}

/** A request is sent once it may start; its response is delivered once the process may use it. */
function watch(
  acting: ActingProcess,
  operation: string,
  handler: Handler,
  cut: () => void,
  begin: (watched: Handler) => void,
): void {
  const answered = Promise.withResolvers<Head>();
  let isDelivered = false;
  let failure: Error | undefined;
  const forget = acting.keep(cut);
  // A request that was not begun has no controller; none is needed for an error.
  const fail = (error: Error): void => handler.onResponseError?.(undefined as never, error);
  const watched: Handler = {
    onRequestStart: (...values) => handler.onRequestStart?.(...values),
    onResponseStart: (...head) => {
      head[0].pause();
      answered.resolve(head);
    },
    onResponseData: (...values) => handler.onResponseData?.(...values),
    onResponseEnd: (...values) => {
      forget();
      handler.onResponseEnd?.(...values);
    },
    onResponseError: (_controller, error) => {
      forget();
      failure = error;
      answered.reject(error);
      if (isDelivered) fail(error);
    },
  };
  const exchange = (): Promise<Head> => {
    begin(watched);
    return answered.promise;
  };
  acting.operate({ operation, effect: 'calls' }, exchange, cut).then((head) => {
    isDelivered = true;
    handler.onResponseStart?.(...head);
    if (failure) fail(failure);
    else head[0].resume();
  }, fail);
}

const broken = (): Error => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
