'use client';
import type { ReactNode } from 'react';
import { IconButton } from '#components/ui/icon-button.tsx';

/** Switches a field between its list and a variable text. */
export const ModeButton = ({
  label,
  icon,
  onClick,
}: {
  label: string;
  icon: ReactNode;
  onClick: () => void;
}) => (
  <IconButton label={label} size="sm" className="h-6 w-7" onClick={onClick}>
    {icon}
  </IconButton>
);
