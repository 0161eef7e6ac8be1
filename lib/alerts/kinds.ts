// Without zod, because browsers load it, too.

export const ALERT_KINDS = [
  'run_failed',
  'undelivered',
  'connection',
  'silence',
  'payload_drift',
  'template',
  'quality',
  'queue',
  'disk',
  'retention',
  'database',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Of a digest of alerts about many workflows. */
export interface DigestWords {
  /** Continues “3 more workflows”. */
  title: string;
  whatToDo: string;
  link: { label: string; path: string };
}

export type KindInfo = {
  label: string;
  description: string;
  /** Owners get it by default. */
  byDefault: boolean;
} & (
  | { scope: 'workflow'; digest: DigestWords }
  /** Alerts of the installation belong to its first workspace. */
  | { scope: 'workspace' | 'installation'; digest?: undefined }
);

export const KIND_INFO: Readonly<Record<AlertKind, KindInfo>> = {
  run_failed: {
    label: 'Failed runs',
    description: 'The first failed run at once, further ones together.',
    scope: 'workflow',
    byDefault: true,
    digest: {
      title: 'failed',
      whatToDo:
        'Open the newest run. When many workflows fail at the same time, the cause is usually one that they share: a connection, a service that they call, or the messaging platform.',
      link: { label: 'Open the failed runs', path: '/runs?status=failed' },
    },
  },
  undelivered: {
    label: 'Undelivered messages',
    description: 'Messages that the platform accepted and could not deliver, those of a workflow together.',
    scope: 'workflow',
    byDefault: true,
    digest: {
      title: 'with undelivered messages',
      whatToDo:
        'Open the newest run. When messages of many workflows are not delivered at the same time, the cause is usually one that they share: a number, a message template, or the account.',
      link: { label: 'Open the runs that were not delivered', path: '/runs?status=undelivered' },
    },
  },
  connection: {
    label: 'Connections',
    description:
      'A connection expires soon or has to be reconnected, or its account is restricted or has a payment problem.',
    scope: 'workspace',
    byDefault: true,
  },
  silence: {
    label: 'Workflows that went quiet',
    description: 'A workflow that is usually called gets no more events.',
    scope: 'workflow',
    byDefault: false,
    digest: {
      title: 'stopped getting events',
      whatToDo:
        'Check that their callers still send requests. When many workflows go quiet at the same time, they usually have the same caller.',
      link: { label: 'Open the workflows', path: '/workflows' },
    },
  },
  payload_drift: {
    label: 'Incoming data changed',
    description: 'Events lack fields that tasks use, or have other types of values in them.',
    scope: 'workflow',
    byDefault: false,
    digest: {
      title: 'with different data than before',
      whatToDo: 'Ask the sender whether the change is intended, then select the new fields in their tasks.',
      link: { label: 'Open the workflows', path: '/workflows' },
    },
  },
  template: {
    label: 'Message templates',
    description: 'A message template was rejected, paused or disabled.',
    scope: 'workspace',
    byDefault: false,
  },
  quality: {
    label: 'Quality of numbers',
    description: 'The quality rating or the limit of a phone number fell.',
    scope: 'workspace',
    byDefault: false,
  },
  queue: {
    label: 'Delayed runs',
    description: 'Runs wait too long before they start, or no worker is running.',
    scope: 'installation',
    byDefault: true,
  },
  disk: {
    label: 'Disk',
    description: 'A disk is nearly full.',
    scope: 'installation',
    byDefault: true,
  },
  retention: {
    label: 'Retention',
    description: 'Old data is not deleted in time.',
    scope: 'installation',
    byDefault: true,
  },
  database: {
    label: 'Size of the database',
    description: 'The database is larger than you expect, or too large for a backup of every night.',
    scope: 'installation',
    byDefault: true,
  },
};

/** The kinds that owners get by default. */
export const DEFAULT_KINDS: readonly AlertKind[] = ALERT_KINDS.filter((kind) => KIND_INFO[kind].byDefault);
