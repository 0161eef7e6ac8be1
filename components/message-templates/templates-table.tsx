'use client';
import { Badge, type Tone } from '#components/ui/badge.tsx';
import { Table, Td, Th, Tr } from '#components/ui/table.tsx';
import { codeTitle } from '#lib/messaging/schema/number-words.ts';
import type { ShownTemplate } from './shown-template.ts';

/** Message templates, one a row; a row opens the preview. */
export const TemplatesTable = ({
  rows,
  onSelect,
}: {
  rows: readonly ShownTemplate[];
  onSelect: (template: ShownTemplate) => void;
}) => (
  <Table label="Message templates">
    <thead>
      <tr>
        <Th>Name</Th>
        <Th>Status</Th>
        <Th className="max-sm:hidden">Category</Th>
        <Th className="max-sm:hidden">Language</Th>
      </tr>
    </thead>
    <tbody>
      {rows.map((template) => (
        <Tr key={`${template.id}${template.language}`} className="relative">
          <Td className="max-w-0 sm:max-w-md">
            <button
              type="button"
              onClick={() => onSelect(template)}
              className="max-w-full truncate text-left font-medium after:absolute after:inset-0 hover:underline"
            >
              {template.name}
            </button>
            <p className="truncate text-sm text-muted">{template.preview.body}</p>
            <p className="text-sm text-muted sm:hidden">
              {codeTitle(template.category)} · {template.language}
            </p>
          </Td>
          <Td className="w-28 align-top">
            <TemplateStatus status={template.status} />
          </Td>
          <Td className="w-36 align-top max-sm:hidden">{codeTitle(template.category)}</Td>
          <Td className="w-28 align-top max-sm:hidden">{template.language}</Td>
        </Tr>
      ))}
    </tbody>
  </Table>
);

const TONES: Record<string, Tone> = {
  APPROVED: 'success',
  PENDING: 'info',
  IN_APPEAL: 'info',
  REJECTED: 'danger',
  DISABLED: 'neutral',
  PAUSED: 'warning',
  LIMIT_EXCEEDED: 'warning',
};

/** The platform's state of a message template; also states that are not in the spec. */
export const TemplateStatus = ({ status }: { status: string }) => (
  <Badge tone={TONES[status] ?? 'neutral'}>{codeTitle(status)}</Badge>
);
