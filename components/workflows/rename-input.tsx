'use client';
import { useEffect, useRef, useState } from 'react';
import { Input } from '#components/ui/input.tsx';

const MAX_NAME_CHARACTERS = 200;

/** Renames in place: Enter or blur saves, Escape cancels. @param onDone null: keep the old name */
export function RenameInput({ name, onDone }: { name: string; onDone: (name: string | null) => void }) {
  const [text, setText] = useState(name);
  const input = useRef<HTMLInputElement>(null);
  // The menu that opened it returns the focus to its button when it closes: focus after that.
  useEffect(() => {
    const timer = setTimeout(() => input.current?.select(), 0);
    return () => clearTimeout(timer);
  }, []);
  const keep = () => onDone(text.trim() || null);
  return (
    <Input
      ref={input}
      aria-label="Name"
      autoFocus
      value={text}
      maxLength={MAX_NAME_CHARACTERS}
      onChange={(event) => setText(event.target.value)}
      onBlur={(event) => {
        if (event.relatedTarget?.getAttribute('aria-haspopup') !== 'menu') keep();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') keep();
        if (event.key === 'Escape') onDone(null);
      }}
    />
  );
}
