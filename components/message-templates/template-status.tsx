import { Badge } from '#components/ui/badge.tsx';
import type { Tone } from '#components/ui/tones.ts';
import { codeTitle } from '#lib/messaging/schema/number-words.ts';

const TONES: Record<string, Tone> = {
  APPROVED: 'success',
  PENDING: 'info',
  IN_APPEAL: 'info',
  REJECTED: 'danger',
  DISABLED: 'neutral',
  PAUSED: 'warning',
  LIMIT_EXCEEDED: 'warning',
};

/** The platform's state of a message template; also states that the spec does not name. */
export const TemplateStatus = ({ status }: { status: string }) => (
  <Badge tone={TONES[status] ?? 'neutral'}>{codeTitle(status)}</Badge>
);
