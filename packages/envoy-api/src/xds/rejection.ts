/** Parses Envoy's rejection of resources: the names in it, and the part that may be shown. */
import type { XdsType } from './resource-type.ts';

/** Maximum stored characters of a message. */
const RETAINED = 1024;
/** Envoy prints the whole message before its error if a range is violated; it may contain a secret. */
const DUMP = /^[\s\S]*(?=Proto constraint validation failed)/;

/** Resources that an Envoy rejected. */
export interface Rejection {
  readonly type: XdsType;
  /** The rejected versions, by name. */
  readonly versions: ReadonlyMap<string, string>;
  /** Envoy's error without dumped messages, cut to a kilobyte. */
  readonly message: string;
}

/** Envoy's error, safe to be shown. For secrets only that they were rejected. */
export function publishable(type: XdsType, text: string): string {
  const shown = type === 'secret' ? secretCause(text) : text.replace(DUMP, '');
  return shown.length <= RETAINED ? shown : `${shown.slice(0, RETAINED)}…`;
}

/** Envoy prints the library's reason in capitals; everything else may be the secret. */
function secretCause(text: string): string {
  const reason = /\b[A-Z]+(?:_[A-Z]+)+\b/.exec(text)?.[0];
  return `the secret was rejected${reason === undefined ? '' : `: ${reason}`}`;
}

/**
 * The names that a rejection is about. Envoy lists clusters and listeners as `Error adding/updating cluster(s) a: why,
 * b: why`; other errors contain no reliable names, and the result is empty.
 */
export function namedIn(text: string, names: Iterable<string>): string[] {
  const at = text.indexOf('(s) ');
  if (!text.startsWith('Error adding/updating') || at === -1) return [];
  const list = `, ${text.slice(at + '(s) '.length)}`;
  return [...names].filter((name) => list.includes(`, ${name}: `));
}
