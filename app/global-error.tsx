'use client';

/** When not even the frame around the screens can be drawn: no styles of ours may be there. */
export default function GlobalError({ reset }: { reset: () => void }) {
  return (
    <html lang="en">
      <body style={{ margin: '20vh auto', maxWidth: '32rem', padding: '0 1rem', fontFamily: 'system-ui' }}>
        <title>Patchbay</title>
        <h1>Patchbay could not be shown</h1>
        <p>Something went wrong on our side. Nothing that was saved is lost.</p>
        <button type="button" onClick={reset}>
          Try again
        </button>
      </body>
    </html>
  );
}
