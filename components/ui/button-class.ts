export interface ButtonLook {
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger' | undefined;
  size?: 'sm' | 'md' | 'lg' | undefined;
}

const VARIANTS = {
  primary: 'bg-accent text-accent-ink hover:bg-accent-hover shadow-raised',
  secondary: 'border border-line-strong/60 bg-raised text-ink hover:bg-hover shadow-raised',
  ghost: 'text-ink hover:bg-hover',
  danger: 'bg-danger text-danger-ink hover:bg-danger-hover shadow-raised',
};

const SIZES = {
  sm: 'h-8 gap-1.5 px-2.5 text-sm [&_svg]:size-3.5',
  md: 'h-9 gap-2 px-3.5 text-base [&_svg]:size-4',
  lg: 'h-11 gap-2 px-5 text-lg [&_svg]:size-4.5',
};

/** The classes of a button, also for links that look like one. */
export const buttonClass = ({ variant = 'secondary', size = 'md' }: ButtonLook = {}): string =>
  `inline-flex shrink-0 items-center justify-center rounded-md font-medium whitespace-nowrap transition-colors select-none disabled:pointer-events-none disabled:opacity-55 [&_svg]:shrink-0 ${VARIANTS[variant]} ${SIZES[size]}`;
