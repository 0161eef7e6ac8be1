'use client';
import NextLink from 'next/link';
import { type ComponentProps, type FocusEvent, type PointerEvent, useState } from 'react';

/**
 * A link to another screen, which is fetched in advance once a pointer or the keyboard is on the link. Visibility is not
 * enough: every screen shows a dozen links, and each would cause requests that are almost never needed.
 */
export function Link({ onPointerEnter, onFocus, ...props }: ComponentProps<typeof NextLink>) {
  const [isMeant, setMeant] = useState(false);
  return (
    <NextLink
      {...props}
      prefetch={isMeant ? 'auto' : false}
      onPointerEnter={(event: PointerEvent<HTMLAnchorElement>) => {
        setMeant(true);
        onPointerEnter?.(event);
      }}
      onFocus={(event: FocusEvent<HTMLAnchorElement>) => {
        setMeant(true);
        onFocus?.(event);
      }}
    />
  );
}
