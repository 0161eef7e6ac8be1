/** A key of the keyboard. */
export const Kbd = ({ children }: { children: string }) => (
  <kbd className="rounded-sm border border-line bg-canvas px-1.5 py-px font-sans text-xs text-muted">
    {children}
  </kbd>
);
