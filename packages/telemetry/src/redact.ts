/** Makes a value fit for a log line: no secrets, no cycles, bounded in depth and size. */

const hidden = '[redacted]';
const maxDepth = 6;
const maxItems = 50;
const maxText = 4_096;

/** Names of fields whose value is a secret, compared without case, dashes and underscores. */
const secretNames = new Set([
  'key',
  'auth',
  'authorization',
  'cookie',
  'setcookie',
  'credentials',
  'kubeconfig',
  'pfx',
]);

/** A field whose name ends so holds a secret as well: `identityToken`, `redis_password`, `client-key-data`. */
const secretEnding =
  /(token|password|passwd|passphrase|secret|secretkey|apikey|privatekey|keydata|keypem|authorization|credential)$/;

/** Secrets recognised by their own looks, wherever they stand. */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, hidden],
  [/\b(Bearer|Authorization:?\s+Basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${hidden}`],
  // Registration tokens of the relay.
  [/\bmrt_[\w-]{20,}/g, hidden],
  [/\beyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*/g, hidden],
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@:]*:[^\s/@]+@/gi, `$1${hidden}@`],
];

/** A kubectl annotation that repeats the whole object, a Secret's data included. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Whether a field of this name is never written to a log. */
export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[-_]/g, '');
  return secretNames.has(plain) || secretEnding.test(plain);
}

/** A text with private keys, bearer tokens, JWTs and passwords in URLs taken out, cut to 4,096 characters. */
export function redactText(text: string): string {
  let clean = text;
  for (const [pattern, replacement] of secretTexts) clean = clean.replaceAll(pattern, replacement);
  return clean.length > maxText ? `${clean.slice(0, maxText)}… ${clean.length - maxText} more` : clean;
}

/**
 * A copy that may be logged: secret fields and the data of Kubernetes Secrets replaced by `[redacted]`, bytes by their
 * count, errors by name, message, code, stack and cause, big integers and dates by text. Deeper than 6 levels and beyond
 * 50 items a note stands for the rest.
 */
export function redact(value: unknown): unknown {
  return copy(value, 0, new Set());
}

function copy(value: unknown, depth: number, above: Set<object>): unknown {
  switch (typeof value) {
    case 'string':
      return redactText(value);
    case 'bigint':
      return String(value);
    case 'object':
      return value === null ? null : copyObject(value, depth, above);
    case 'symbol':
    case 'function':
      return undefined;
    default:
      return value;
  }
}

function copyObject(value: object, depth: number, above: Set<object>): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (above.has(value)) return '[circular]';
  if (depth >= maxDepth) return '[deeper]';
  above.add(value);
  try {
    if (value instanceof Error) return copyError(value, depth, above);
    if (Array.isArray(value)) return copyItems(value, value.length, depth, above);
    if (value instanceof Set) return copyItems(value, value.size, depth, above);
    if (value instanceof Map)
      return copyFields(
        [...value].map(([name, item]) => [typeof name === 'string' ? name : `(${typeof name})`, item]),
        depth,
        above,
      );
    return copyFields(fieldsOf(value), depth, above);
  } finally {
    above.delete(value);
  }
}

function copyItems(items: Iterable<unknown>, size: number, depth: number, above: Set<object>): unknown[] {
  const shown: unknown[] = [];
  for (const item of items) {
    if (shown.length === maxItems) {
      shown.push(`… ${size - maxItems} more`);
      break;
    }
    shown.push(copy(item, depth + 1, above) ?? null);
  }
  return shown;
}

function copyFields(fields: readonly (readonly [string, unknown])[], depth: number, above: Set<object>): unknown {
  const shown = fields
    .slice(0, maxItems)
    .map(([name, value]) => [
      name,
      isSecretName(name) || name === lastApplied ? present(value) : copy(value, depth + 1, above),
    ]);
  if (fields.length > maxItems) shown.push(['…', `${fields.length - maxItems} more`]);
  return Object.fromEntries(shown.filter(([, value]) => value !== undefined));
}

/** Own fields; in Secrets and lists of them the data by its names only. */
function fieldsOf(value: object): [string, unknown][] {
  const kind = 'kind' in value ? value.kind : undefined;
  const fields = Object.entries(value);
  if (kind === 'Secret') return fields.map(([name, field]) => [name, isData(name) ? namesOnly(field) : field]);
  if (kind === 'SecretList') return fields.map(([name, field]) => [name, name === 'items' ? asSecrets(field) : field]);
  return fields;
}

function isData(name: string): boolean {
  return name === 'data' || name === 'stringData';
}

function namesOnly(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return hidden;
  return Object.fromEntries(Object.keys(data).map((name) => [name, hidden]));
}

/** The items of a SecretList do not repeat their kind. */
function asSecrets(items: unknown): unknown {
  return Array.isArray(items) ? items.map((item: unknown) => ({ ...(item as object), kind: 'Secret' })) : hidden;
}

/** Tells a secret that is there from one that is missing, which is worth knowing in a log. */
function present(value: unknown): unknown {
  return value === undefined || value === null || value === '' ? value : hidden;
}

function copyError(error: Error, depth: number, above: Set<object>): unknown {
  const { name, message, stack, cause, ...rest } = error as Error & Record<string, unknown>;
  return {
    type: error.name,
    message: redactText(error.message),
    ...(copyFields(Object.entries(rest), depth, above) as object),
    ...(error.stack !== undefined && { stack: redactText(error.stack) }),
    ...(error.cause !== undefined && { cause: copy(error.cause, depth + 1, above) }),
  };
}
