import { CopyButton } from './copy-button.tsx';
import { cx } from './cx.ts';

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
