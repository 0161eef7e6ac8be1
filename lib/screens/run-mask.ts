import { hideLinks } from '#lib/approvals/approval-link.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';
import type { MemberContext } from '#lib/identity/auth/session.ts';
import { recordMask } from '#lib/messaging/mask.ts';

/** Masks texts of a run: numbers and links that the member may not see or use. */
export function runMask(ctx: Pick<MemberContext, 'role' | 'masksNumbers'>): (text: string) => string {
  const mask = recordMask(ctx);
  return hasRole(ctx.role, 'editor') ? mask : (text) => hideLinks(mask(text));
}
