'use client';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ButtonLook } from './button-class.ts';
import { Button } from './button.tsx';
import { cx } from './cx.ts';
import { IconButton } from './icon-button.tsx';
import { toast } from './overlay/toaster.tsx';

export interface CodeBlockProps {
  code: string;
  /** For screen readers and the copy button. */
  label: string;
  /** Wraps long lines instead of scrolling. */
  wrap?: boolean;
  /** Maximum height before it scrolls. */
  maxHeightClass?: string;
}

export const CodeBlock = ({ code, label, wrap = false, maxHeightClass = 'max-h-96' }: CodeBlockProps) => (
  <div className="relative min-w-0 rounded-md border border-line bg-canvas">
    <pre
      tabIndex={0}
      aria-label={label}
      className={cx(
        'overflow-auto py-3 pr-12 pl-4 font-mono text-sm',
        wrap && 'break-words whitespace-pre-wrap',
        maxHeightClass,
      )}
    >
      {code}
    </pre>
    <div className="absolute top-1.5 right-1.5 rounded-md bg-canvas">
      <CopyButton text={code} label={`Copy ${label}`} iconOnly />
    </div>
  </div>
);

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
