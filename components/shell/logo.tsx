/** The logo: a cable between two jacks. */
export const Logo = ({ className }: { className?: string }) => (
  <svg viewBox="0 0 32 32" aria-hidden className={className}>
    <rect width="32" height="32" rx="8" fill="#0f5666" />
    <path
      d="M10 11.5v2.5c0 6 12 2 12 6.5"
      fill="none"
      stroke="#f2b45a"
      strokeWidth="3"
      strokeLinecap="round"
    />
    <circle cx="10" cy="8.5" r="3.5" fill="none" stroke="#fff" strokeWidth="2.5" />
    <circle cx="22" cy="23.5" r="3.5" fill="none" stroke="#fff" strokeWidth="2.5" />
  </svg>
);
