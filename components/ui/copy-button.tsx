'use client';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import type { ButtonLook } from './button-class.ts';
import { IconButton } from './icon-button.tsx';
import { toast } from './toaster.tsx';

const SHOW_DONE_MS = 1600;

export interface CopyButtonProps extends ButtonLook {
  text: string;
  /** Label: "Copy URL". */
  label?: string;
  /** Only the icon, with the label as its tooltip. */
  iconOnly?: boolean;
}

export function CopyButton({
  text,
  label = 'Copy',
  iconOnly = false,
  variant,
  size = 'sm',
}: CopyButtonProps) {
  const [copiedAt, setCopiedAt] = useState(0);
  useEffect(() => {
    if (copiedAt === 0) return;
    const timer = setTimeout(() => setCopiedAt(0), SHOW_DONE_MS);
    return () => clearTimeout(timer);
  }, [copiedAt]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopiedAt(Date.now());
    } catch {
      toast.error('Your browser blocked copying. Select the text and copy it manually.');
    }
  };
  const icon = copiedAt ? <Check aria-hidden className="text-success" /> : <Copy aria-hidden />;
  if (iconOnly) {
    return (
      <IconButton
        label={copiedAt ? 'Copied' : label}
        variant={variant ?? 'ghost'}
        size={size}
        onClick={() => void copy()}
      >
        {icon}
      </IconButton>
    );
  }
  return (
    <Button variant={variant} size={size} icon={icon} onClick={() => void copy()}>
      {copiedAt ? 'Copied' : label}
    </Button>
  );
}
