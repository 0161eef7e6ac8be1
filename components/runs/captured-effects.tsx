'use client';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { CapturedMessage } from './captured-message.tsx';
import { type CapturedEffect, readCaptured } from './read-captured.ts';

/** Effects that a run of the draft captured: messages as on a phone, requests as they would be sent. */
export function CapturedEffects({ captured }: { captured: readonly string[] }) {
  return (
    <div className="flex flex-col gap-3">
      {captured.map((text, index) => (
        <Effect key={index} effect={readCaptured(text)} text={text} />
      ))}
    </div>
  );
}

function Effect({ effect, text }: { effect: CapturedEffect; text: string }) {
  switch (effect.kind) {
    case 'message':
      return <CapturedMessage message={effect} />;
    case 'request':
      return (
        <div className="flex flex-col gap-2">
          <p className="text-sm text-muted">The run continued as if the service had answered 200.</p>
          <CodeBlock code={effect.text} label="request" wrap maxHeightClass="max-h-56" />
        </div>
      );
    case 'change':
      return <Callout tone="info">{effect.text}</Callout>;
    case 'other':
      return <CodeBlock code={text} label="not sent" wrap maxHeightClass="max-h-56" />;
  }
}
