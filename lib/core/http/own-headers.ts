const OWN_HEADERS = [
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Whether a header describes the connection or the body's length: only the client sets it. */
export const isOwnHeader = (name: string): boolean => OWN_HEADERS.includes(name.toLowerCase());
