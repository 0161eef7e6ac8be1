'use client';
import 'swagger-ui-dist/swagger-ui.css';
import './api-reference.css';
import { useEffect, useRef, useState } from 'react';
import { Callout } from '#components/ui/callout.tsx';
import { watchTheme } from '#components/shell/theme.ts';

const DARK = 'dark-mode';

/** The API reference, where requests can be tried with an API key. Swagger UI is loaded with this screen only. */
export function ApiReference({ document: api }: { document: Record<string, unknown> }) {
  const place = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let isGone = false;
    import('swagger-ui-dist/swagger-ui-es-bundle.js')
      .then(({ default: SwaggerUI }) => {
        if (isGone || !place.current) return;
        SwaggerUI({
          domNode: place.current,
          spec: { ...api, servers: [{ url: `${window.location.origin}/api/v1` }] },
          docExpansion: 'list',
          defaultModelsExpandDepth: 0,
          deepLinking: false,
          validatorUrl: null,
          persistAuthorization: false,
        });
      })
      .catch(() => setFailed(true));
    return () => {
      isGone = true;
    };
  }, [api]);
  useEffect(followTheme, []);
  return failed ? (
    <Callout tone="danger" title="The reference could not be loaded. Reload the page." />
  ) : (
    <div ref={place} className="api-reference" />
  );
}

/** Swagger UI is dark below a class of the root element. @returns stops it */
function followTheme(): () => void {
  const root = document.documentElement;
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  const update = () => {
    const { theme } = root.dataset;
    root.classList.toggle(DARK, theme === 'dark' || (theme !== 'light' && system.matches));
  };
  const stop = watchTheme(update);
  update();
  return () => {
    stop();
    root.classList.remove(DARK);
  };
}
