'use client';
import { Download } from 'lucide-react';
import { buttonClass } from '#components/ui/button-class.ts';
import { Callout } from '#components/ui/callout.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';

/** New recovery codes, which are shown once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = `${codes.join('\n')}\n`;
  return (
    <div className="flex flex-col gap-4">
      <Callout tone="warning" title="Save your recovery codes now. You won’t see them again.">
        Each code works once in place of a code of your app, for example when you lose your phone.
      </Callout>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-1 gap-x-6 gap-y-1 rounded-md border border-line bg-canvas px-4 py-3 font-mono text-sm sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label="Copy codes" />
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="patchbay-recovery-codes.txt"
          className={buttonClass({ size: 'sm' })}
        >
          <Download aria-hidden />
          Download codes
        </a>
      </div>
    </div>
  );
}
