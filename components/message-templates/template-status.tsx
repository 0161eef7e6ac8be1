import { Badge } from '#components/ui/badge.tsx';
import type { Tone } from '#components/ui/tones.ts';

const TONES: Record<string, Tone> = {
  APPROVED: 'success',
  PENDING: 'info',
  IN_APPEAL: 'info',
  REJECTED: 'danger',
  DISABLED: 'neutral',
  PAUSED: 'warning',
  LIMIT_EXCEEDED: 'warning',
};

/** "LIMIT_EXCEEDED" as people read it. */
export const toWords = (constant: string): string =>
  constant.charAt(0) + constant.slice(1).toLowerCase().replaceAll('_', ' ');

/** The platform's state of a message template; also those that the spec does not name. */
export const TemplateStatus = ({ status }: { status: string }) => (
  <Badge tone={TONES[status] ?? 'neutral'}>{toWords(status)}</Badge>
);
