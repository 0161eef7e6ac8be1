// The two parts of undici that are used, without the rest: loading all of it takes a process 14 MB and three times as long.

declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici';
}

declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici';
}
