/** Maps request paths to resources, and kinds to paths. */
import { kinds } from '@meshrelay/api';

/** The resource of a path. */
export interface ResourcePath {
  /** `group/plural`; the core group is ''. */
  readonly resource: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly name: string | undefined;
  readonly part: string | undefined;
}

/** Cache: requests repeat the same few paths. */
const parsed = new Map<string, ResourcePath | undefined>();
const plurals = new Map<string, string>();

/** Undefined for discovery documents. */
export function parsePath(path: string): ResourcePath | undefined {
  if (parsed.has(path)) return parsed.get(path);
  const read = readPath(path);
  parsed.set(path, read);
  return read;
}

function readPath(path: string): ResourcePath | undefined {
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
  const [root, ...rest] = parts;
  const group = root === 'api' ? '' : (rest.shift() ?? '');
  const version = rest.shift() ?? '';
  let namespace = '';
  // `/namespaces/NAME` alone is the Namespace itself.
  if (rest[0] === 'namespaces' && rest.length > 2) {
    namespace = rest[1] ?? '';
    rest.splice(0, 2);
  }
  const [plural, name, part] = rest;
  if (plural === undefined) return undefined;
  return { resource: `${group}/${plural}`, group, version, namespace, name, part };
}

/** Storage key prefix of a kind. */
export function resourceOf(apiVersion: string, kind: string): string {
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  const plural = plurals.get(kind) ?? pluralOf(kind);
  plurals.set(kind, plural);
  return `${group}/${plural}`;
}

function pluralOf(kind: string): string {
  const managed = Object.values(kinds).find((one) => one.kind === kind);
  if (managed !== undefined) return managed.plural;
  const lower = kind.toLowerCase();
  if (/(s|x|ch|sh)$/.test(lower)) return `${lower}es`;
  return /[^aeiou]y$/.test(lower) ? `${lower.slice(0, -1)}ies` : `${lower}s`;
}
