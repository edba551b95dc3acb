/** What Envoy says when it refuses resources: whom it names, and what of it may be shown. */
import type { XdsType } from './resource-type.ts';

/** Characters of a message that are kept. */
const RETAINED = 1024;
/** Envoy prints the whole message before its complaint when a range is violated; a secret could be in it. */
const DUMP = /^[\s\S]*(?=Proto constraint validation failed)/;

/** Resources that an Envoy refused. */
export interface Rejection {
  readonly type: XdsType;
  /** The versions refused, by name. */
  readonly versions: ReadonlyMap<string, string>;
  /** Envoy's words without what they dump, cut to a kilobyte. */
  readonly message: string;
}

/** Envoy's words, fit to be shown. Of secrets only that they were refused. */
export function publishable(type: XdsType, text: string): string {
  const shown = type === 'secret' ? secretCause(text) : text.replace(DUMP, '');
  return shown.length <= RETAINED ? shown : `${shown.slice(0, RETAINED)}…`;
}

/** Envoy names the library's reason in capitals; everything else may be the secret. */
function secretCause(text: string): string {
  const reason = /\b[A-Z]+(?:_[A-Z]+)+\b/.exec(text)?.[0];
  return `the secret was refused${reason === undefined ? '' : `: ${reason}`}`;
}

/**
 * Those of the names that a refusal is about. Envoy lists clusters and listeners as `Error adding/updating cluster(s) a: why, b: why`;
 * for anything else there is no telling, and the answer is empty.
 */
export function namedIn(text: string, names: Iterable<string>): string[] {
  const at = text.indexOf('(s) ');
  if (!text.startsWith('Error adding/updating') || at === -1) return [];
  const list = `, ${text.slice(at + '(s) '.length)}`;
  return [...names].filter((name) => list.includes(`, ${name}: `));
}
