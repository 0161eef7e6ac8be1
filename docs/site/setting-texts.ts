// What docs/reference/settings.md says of each setting; the schema in lib/core/env.ts has the types and defaults. A setting
// without a text fails docs/settings.test.ts.

export interface SettingText {
  /** One or two sentences for whoever runs Patchbay. */
  what: string;
  example: string;
  /** Where the schema has none: what happens instead. */
  otherwise?: string;
}

type Group = Readonly<Record<string, SettingText>>;

const text = (what: string, example: string, otherwise?: string): SettingText => ({
  what,
  example,
  ...(otherwise === undefined ? {} : { otherwise }),
});

export const SETTING_GROUPS: Readonly<Record<string, Group>> = {
  'Addresses and processes': {
    PORT: text('Where the app listens.', '8080'),
    HOST: text(
      'The network interface to listen on: an address of this machine, or 0.0.0.0 for all. With another one than loopback, the owner’s account takes the setup code that is printed at the start.',
      '0.0.0.0',
      'loopback: this machine only',
    ),
    BASE_URL: text(
      'The address that callers and browsers use. Links, redirect URLs and webhook URLs begin with it.',
      'https://patchbay.example.com',
      'http://localhost and the port',
    ),
    TRUST_PROXY: text(
      'on: a reverse proxy in front sets X-Forwarded-For; 2 to 9: so many proxies in a row do. Without it all who come through the proxy share one address.',
      'on',
    ),
    PATCHBAY_ENV: text('production: no sandbox, and no requests to private addresses.', 'production'),
    WEB_PROCESSES: text('Web processes that npm start runs. Several share the port, on Linux.', '2', '1'),
    WORKER_PROCESSES: text('Workers that npm start runs.', '2', '1'),
    REUSE_PORT: text('on: other processes may listen on the same port.', 'on'),
    LOG_LEVEL: text('How much is logged.', 'warn'),
  },
  'Database and secrets': {
    DATABASE_URL: text(
      'PostgreSQL 15 or newer. Through PgBouncer in session mode only.',
      'postgres://patchbay:password@db.example.com:5432/patchbay',
      'an own PostgreSQL in the data folder',
    ),
    PATCHBAY_DATA_DIR: text('Where the own database, secrets and files are stored.', '/var/lib/patchbay'),
    AUTH_SECRET: text(
      'Signs sessions. 32 characters or more, the same in all processes.',
      'a random text, such as of `openssl rand -base64 32`',
      'created at the first start, in secrets.json',
    ),
    ENCRYPTION_KEYS: text(
      'Keys of 32 bytes, as id:base64, separated by commas. The first one encrypts, all of them decrypt.',
      'k1:x8Qe…=',
      'created at the first start, in secrets.json',
    ),
    PATCHBAY_API_KEY: text(
      'A key of the REST API for the first workspace, 32 characters or more. The command line reads it, too.',
      'a random text, such as of `openssl rand -hex 32`',
      'none: keys are created in Settings',
    ),
  },
  Webhooks: {
    MAX_BODY_BYTES: text('The largest body of a webhook.', '1048576'),
    MAX_UPLOAD_BYTES: text('The largest form with its files, for triggers that store files.', '10485760'),
    MAX_BYTES_IN_FLIGHT: text(
      'Bytes of bodies that a process holds at once. Requests beyond it get 503.',
      '134217728',
    ),
    WEBHOOK_RATE_PER_SECOND: text(
      'Webhooks a second of a workspace that sets no limit itself, over all processes. 0: no limit.',
      '200',
    ),
    ANSWER_TIMEOUT_SECONDS: text(
      'How long a caller waits for the result of a workflow before it gets 202.',
      '60',
    ),
    WEBHOOK_DOOR: text('next: webhooks are answered by Next.js, more slowly.', 'next'),
    FIRST_LEG: text('off: every task is left to the workers.', 'off'),
  },
  Runs: {
    WORKER_CONCURRENCY: text('Runs that a worker holds in memory at once.', '500'),
    ALLOWED_PRIVATE_HOSTS: text(
      'Hosts that HTTP request tasks may call although they are not public, separated by commas.',
      '127.0.0.1:8080,printer.local',
      'none',
    ),
  },
  'Messaging platform': {
    MESSAGING_GRAPH_URL: text('The platform’s API.', 'https://graph.facebook.com', 'the sandbox'),
    MESSAGING_AUTHORIZE_URL: text(
      'The platform’s sign-in page.',
      'https://www.facebook.com/v18.0/dialog/oauth',
      'the sandbox',
    ),
    MESSAGING_TOKEN_URL: text(
      'Where codes are exchanged for tokens.',
      'https://graph.facebook.com/v18.0/oauth/access_token',
      'the sandbox',
    ),
    MESSAGING_CLIENT_ID: text('The app that is registered at the platform.', '1234567890', 'the sandbox'),
    MESSAGING_CLIENT_SECRET: text('Its secret.', 'of the developer console', 'the sandbox'),
    MESSAGING_APP_SECRET: text(
      'Signs notifications, if it differs from the client secret.',
      'of the developer console',
      'the client secret',
    ),
    MESSAGING_SCOPES: text(
      'The scopes to ask for.',
      'whatsapp_business_management whatsapp_business_messaging',
    ),
    MESSAGING_PRODUCT: text('What the platform calls itself in its API.', 'whatsapp'),
    MESSAGING_ISSUER: text(
      'The issuer of the sign-in, if it names itself in its answers (RFC 9207). Other answers are refused then.',
      'https://login.example.com',
      'not checked',
    ),
    MESSAGING_TIMEOUT_SECONDS: text('How long the platform may take to answer.', '60'),
    MESSAGING_MESSAGES_PER_SECOND: text('Messages a second from one number.', '200'),
    MESSAGING_PAIR_BURST: text('Messages at once from one number to one customer.', '20'),
    MESSAGING_PAIR_REFILL_SECONDS: text('Seconds until there is room for another one.', '6'),
  },
  'Files of customers': {
    MEDIA_STORE: text('Where files are stored that customers sent: folder or s3.', 's3'),
    MEDIA_FOLDER: text(
      'The folder. On several machines one that they share.',
      '/mnt/shared/media',
      'media in the data folder',
    ),
    MEDIA_RETENTION_DAYS: text('After how many days files are removed.', '90'),
    MEDIA_LINK_DAYS: text('How many days a link to a file works, 7 at most.', '1'),
    MEDIA_S3_BUCKET: text('The bucket; needed for s3.', 'patchbay-media', 'none'),
    MEDIA_S3_REGION: text('Its region.', 'eu-central-1'),
    MEDIA_S3_ENDPOINT: text('Another storage than Amazon’s.', 'https://s3.example.com', 'Amazon’s'),
    MEDIA_S3_ACCESS_KEY_ID: text('The key, together with its secret.', 'AKIA…', 'the role of the machine'),
    MEDIA_S3_SECRET_ACCESS_KEY: text('The key’s secret.', 'of the storage', 'the role of the machine'),
  },
  Mail: {
    SMTP_URL: text(
      'The mail server. smtps:// uses TLS from the start; smtp:// uses STARTTLS where it is offered.',
      'smtp://user:password@mail.example.com:587',
      'nothing is mailed',
    ),
    MAIL_FROM: text(
      'The sender, with a name or without.',
      'Patchbay <patchbay@example.com>',
      'nothing is mailed',
    ),
  },
  'Sign-in with an identity provider': {
    AUTH_OIDC_ISSUER: text('The provider’s issuer URL.', 'https://login.example.com', 'off'),
    AUTH_OIDC_CLIENT_ID: text('The client that is registered there.', 'patchbay', 'off'),
    AUTH_OIDC_CLIENT_SECRET: text('Its secret.', 'of the provider', 'off'),
    AUTH_OIDC_NAME: text('What the button on the sign-in page calls it.', 'Example Login'),
    AUTH_OIDC_SCOPES: text('What is asked of it.', 'openid email profile groups'),
    AUTH_OIDC_GROUPS_CLAIM: text(
      'The claim with the groups; of a nested one its path.',
      'realm_access.roles',
    ),
    AUTH_OIDC_SESSION_HOURS: text('After how many hours it is asked again.', '8'),
  },
  Monitoring: {
    METRICS_PORT: text(
      'Where Prometheus finds /metrics. npm start gives each further process the next port.',
      '9464',
      'no metrics',
    ),
    METRICS_HOST: text('The interface of that port.', '0.0.0.0'),
  },
  Traces: {
    OTEL_EXPORTER_OTLP_ENDPOINT: text(
      'Where traces go: a collector that takes OTLP. Set, it switches traces on.',
      'http://collector:4318',
      'no traces',
    ),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: text(
      'The full URL instead.',
      'http://collector:4318/v1/traces',
      'made from the endpoint',
    ),
    OTEL_EXPORTER_OTLP_PROTOCOL: text('Only http/protobuf is supported.', 'http/protobuf', '`http/protobuf`'),
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: text(
      'The same, for traces only.',
      'http/protobuf',
      '`http/protobuf`',
    ),
    OTEL_EXPORTER_OTLP_HEADERS: text(
      'Headers for the collector, such as its key.',
      'Authorization=Bearer%20…',
      'none',
    ),
    OTEL_TRACES_EXPORTER: text(
      'otlp switches traces on with a collector on this machine, none switches them off.',
      'otlp',
      'as the endpoint says',
    ),
    OTEL_SDK_DISABLED: text('true switches traces off.', 'true', '`false`'),
    OTEL_TRACES_SAMPLER: text(
      'Which webhooks are traced. The same in all processes.',
      'parentbased_traceidratio',
      '`parentbased_always_on`',
    ),
    OTEL_TRACES_SAMPLER_ARG: text('The ratio of a sampler that has one.', '0.1', '1'),
    OTEL_PROPAGATORS: text('none: traces of callers are not continued.', 'none', '`tracecontext`'),
    OTEL_BSP_SCHEDULE_DELAY: text('Milliseconds between two exports.', '1000', '5000'),
    OTEL_BSP_MAX_QUEUE_SIZE: text('Spans that wait for their export at most.', '4096', '2048'),
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: text('Spans in one export.', '1024', '512'),
    OTEL_BSP_EXPORT_TIMEOUT: text('Milliseconds that an export may take.', '10000', '30000'),
  },
  Sandbox: {
    SANDBOX: text(
      'Whether the stand-in platform runs.',
      'off',
      'on, unless the platform’s settings are given or PATCHBAY_ENV is production',
    ),
    SANDBOX_PORT: text('Where it listens.', '4011'),
    SANDBOX_HOST: text('The interface to listen on.', '0.0.0.0', '127.0.0.1'),
    SANDBOX_PUBLIC_URL: text(
      'The address that browsers use for it.',
      'https://sandbox.example.com',
      'http://127.0.0.1 and its port',
    ),
  },
};
