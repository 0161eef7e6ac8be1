const MAX_CHARACTERS = 60;

/**
 * An unused name for the secret of a header or parameter: `X-Api-Key` → `x_api_key`.
 * @param taken the names of the workspace's secrets
 */
export function suggestSecretName(field: string, taken: readonly string[]): string {
  const words = field
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_\d]+|_+$/g, '')
    .slice(0, MAX_CHARACTERS);
  const name = words || 'secret';
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? name : `${name}_${count}`;
    if (!taken.includes(candidate)) return candidate;
  }
}
