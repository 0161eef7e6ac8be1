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

export interface KindInfo {
  label: string;
  description: string;
  /** The subject. Alerts of the installation belong to its first workspace. */
  scope: 'workflow' | 'workspace' | 'installation';
  /** Owners get it by default. */
  byDefault: boolean;
}

export const KIND_INFO: Readonly<Record<AlertKind, KindInfo>> = {
  run_failed: {
    label: 'Failed runs',
    description: 'The first failed run at once, further ones together.',
    scope: 'workflow',
    byDefault: true,
  },
  undelivered: {
    label: 'Undelivered messages',
    description: 'Messages that the platform accepted and could not deliver, those of a workflow together.',
    scope: 'workflow',
    byDefault: true,
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
  },
  payload_drift: {
    label: 'Incoming data changed',
    description: 'Events lack fields that tasks use, or have other types of values in them.',
    scope: 'workflow',
    byDefault: false,
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
