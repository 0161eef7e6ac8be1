export default function HomePage() {
  return (
    <main>
      <h1>Patchbay</h1>
      <p>
        Webhook in, conversation out. The API is described at{' '}
        <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.
      </p>
    </main>
  );
}
