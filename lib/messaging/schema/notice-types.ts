import type { AccountTroubleKind } from '#lib/messaging/platform/error-table.ts';

/** Fields of notifications about the state of a template or a number. */
export const NOTICED_FIELDS = [
  'message_template_status_update',
  'message_template_quality_update',
  'phone_number_quality_update',
  'template_category_update',
] as const;
export type NoticedField = (typeof NOTICED_FIELDS)[number];

/** Not a field of the platform: errors of calls and messages about the account (`AccountTrouble`). */
export const ACCOUNT_TROUBLE = 'account_trouble';

/** The content of such a notification, or the error about the account. */
export type AccountNotice =
  | {
      field: NoticedField;
      /** Of any shape: the platform's. */
      value: unknown;
    }
  | { field: typeof ACCOUNT_TROUBLE; value: AccountTrouble };

export interface AccountTrouble {
  kind: AccountTroubleKind;
  /** The platform's. */
  code: number | null;
}
