/** Makes a value safe to print: no secrets and no cycles; for a log line also bounded in depth and size. */

const hidden = '[redacted]';

/** Limits on the printed value. */
interface Limits {
  readonly depth: number;
  readonly items: number;
  /** Characters of a text. */
  readonly text: number;
}

const ofLogLines: Limits = { depth: 6, items: 50, text: 4_096 };
const none: Limits = { depth: Infinity, items: Infinity, text: Infinity };

/** Names of fields whose value is a secret; case, dashes and underscores are ignored. */
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

/** Fields with these suffixes are secrets as well: `identityToken`, `redis_password`, `client-key-data`. */
const secretEnding =
  /(token|password|passwd|passphrase|secret|secretkey|apikey|privatekey|keydata|keypem|authorization|credential)$/;

/** Secrets recognised by their format, anywhere in a text. */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, hidden],
  [/\b(Bearer|Authorization:?\s+Basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${hidden}`],
  // Registration tokens of the relay.
  [/\bmrt_[\w-]{20,}/g, hidden],
  [/\beyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*/g, hidden],
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@:]*:[^\s/@]+@/gi, `$1${hidden}@`],
];

/** A kubectl annotation that repeats the whole object, including a Secret's data. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Whether a field of this name is never logged. */
export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[-_]/g, '');
  return secretNames.has(plain) || secretEnding.test(plain);
}

/** A text without private keys, bearer tokens, JWTs and passwords in URLs, truncated to 4,096 characters. */
export function redactText(text: string): string {
  return cleanText(text, ofLogLines);
}

function cleanText(text: string, { text: longest }: Limits): string {
  let clean = text;
  for (const [pattern, replacement] of secretTexts) clean = clean.replaceAll(pattern, replacement);
  return clean.length > longest ? `${clean.slice(0, longest)}… ${clean.length - longest} more` : clean;
}

/**
 * A copy for logging: `[redacted]` replaces secret fields and the data of Kubernetes Secrets. Bytes become their count,
 * errors their name, message, code, stack and cause, big integers and dates text. A note replaces content deeper than 6
 * levels, and items after the first 50.
 */
export function redact(value: unknown): unknown {
  return new Copier(ofLogLines).copy(value, 0);
}

/** The same without limits on depth, items and length: for whole objects that a user requested. */
export function redactWhole(value: unknown): unknown {
  return new Copier(none).copy(value, 0);
}

class Copier {
  readonly #limits: Limits;
  readonly #above = new Set<object>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  copy(value: unknown, depth: number): unknown {
    switch (typeof value) {
      case 'string':
        return cleanText(value, this.#limits);
      case 'bigint':
        return String(value);
      case 'object':
        return value === null ? null : this.#object(value, depth);
      case 'symbol':
      case 'function':
        return undefined;
      default:
        return value;
    }
  }

  #object(value: object, depth: number): unknown {
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
    if (this.#above.has(value)) return '[circular]';
    if (depth >= this.#limits.depth) return '[deeper]';
    this.#above.add(value);
    try {
      if (value instanceof Error) return this.#error(value, depth);
      if (Array.isArray(value)) return this.#items(value, value.length, depth);
      if (value instanceof Set) return this.#items(value, value.size, depth);
      if (value instanceof Map)
        return this.#fields(
          [...value].map(([name, item]) => [typeof name === 'string' ? name : `(${typeof name})`, item]),
          depth,
        );
      return this.#fields(fieldsOf(value), depth);
    } finally {
      this.#above.delete(value);
    }
  }

  #items(items: Iterable<unknown>, size: number, depth: number): unknown[] {
    const { items: max } = this.#limits;
    const shown: unknown[] = [];
    for (const item of items) {
      if (shown.length === max) {
        shown.push(`… ${size - max} more`);
        break;
      }
      shown.push(this.copy(item, depth + 1) ?? null);
    }
    return shown;
  }

  #fields(fields: readonly (readonly [string, unknown])[], depth: number): unknown {
    const { items: max } = this.#limits;
    const shown = fields
      .slice(0, max)
      .map(([name, value]) => [
        name,
        isSecretName(name) || name === lastApplied ? present(value) : this.copy(value, depth + 1),
      ]);
    if (fields.length > max) shown.push(['…', `${fields.length - max} more`]);
    return Object.fromEntries(shown.filter(([, value]) => value !== undefined));
  }

  #error(error: Error, depth: number): unknown {
    const { name, message, stack, cause, ...rest } = error as Error & Record<string, unknown>;
    return {
      type: error.name,
      message: cleanText(error.message, this.#limits),
      ...(this.#fields(Object.entries(rest), depth) as object),
      ...(error.stack !== undefined && { stack: cleanText(error.stack, this.#limits) }),
      ...(error.cause !== undefined && { cause: this.copy(error.cause, depth + 1) }),
    };
  }
}

/**
 * Own fields. In Secrets and lists of them only the names of the data remain, and likewise for variables and headers
 * with a secret's name.
 */
function fieldsOf(value: object): [string, unknown][] {
  const kind = 'kind' in value ? value.kind : undefined;
  const fields = Object.entries(value);
  if ('name' in value && 'value' in value && typeof value.name === 'string' && isSecretName(value.name))
    return fields.map(([name, field]) => [name, name === 'value' ? present(field) : field]);
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

/** Distinguishes a present secret from a missing one, which is useful in a log. */
function present(value: unknown): unknown {
  return value === undefined || value === null || value === '' ? value : hidden;
}
