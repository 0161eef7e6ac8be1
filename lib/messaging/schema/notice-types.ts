/** Fields of notifications that say how a template or a number of an account is. */
export const NOTICED_FIELDS = [
  'message_template_status_update',
  'message_template_quality_update',
  'phone_number_quality_update',
] as const;
export type NoticedField = (typeof NOTICED_FIELDS)[number];

/** Such a notification as it came. */
export interface AccountNotice {
  field: NoticedField;
  /** Of any shape: the platform's. */
  value: unknown;
}
