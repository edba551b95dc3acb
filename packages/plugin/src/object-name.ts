/** Names of objects that are composed of other names. */

/** The maximum length of Kubernetes names, in characters. */
const MAX_LENGTH = 253;

/**
 * A name of these parts, separated by dots after the prefix and a dash. Names of Services and namespaces have no dots,
 * so such names are unique. If a part has a dot, as names of workloads and ServiceAccounts may, or the whole is too
 * long, a digest makes it unique.
 */
export function objectName(prefix: string, parts: readonly string[]): string {
  const plain = `${prefix}-${parts.join('.')}`;
  const ambiguous = parts.length > 1 && parts.some((part) => part.includes('.'));
  if (!ambiguous && plain.length <= MAX_LENGTH) return plain;
  const ending = `.${digest(JSON.stringify(parts))}`;
  return `${plain.slice(0, MAX_LENGTH - ending.length).replace(/[-.]+$/, '')}${ending}`;
}

const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;

/**
 * FNV-1a of 64 bits, over ASCII text: plugins have no hasher of their own, and these names need no protection against
 * deliberate collisions.
 */
function digest(text: string): string {
  let hash = FNV_OFFSET;
  for (let position = 0; position < text.length; position += 1)
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(position))) * FNV_PRIME);
  return hash.toString(16).padStart(16, '0');
}
