/** Vectors on the wire: only the changed components, in pages, reassembled at the other end. */
import type { VectorUpdate } from '../message.ts';
import { wholeDigest } from '../object/whole-digest.ts';
import type { InputVector, InputVersion } from './input-vector.ts';

type Version = InputVersion | 'gone';

/** Components per message, some 50 bytes each. */
const COMPONENTS_PER_MESSAGE = 5000;

/**
 * The messages that change `sent` to `now`; none when they are equal. The first vector, and one that lost a component,
 * must be sent whole.
 */
export function vectorUpdates(now: InputVector, sent: InputVector | undefined): VectorUpdate[] {
  const full = sent === undefined || [...sent.keys()].some((name) => !now.has(name));
  const components: Array<{ name: string; version: Version }> = [];
  for (const [name, version] of now) {
    if (full || !sameVersion(sent.get(name), version)) components.push({ name, version });
  }
  if (components.length === 0 && !full) return [];
  const updates: VectorUpdate[] = [];
  for (let at = 0; at === 0 || at < components.length; at += COMPONENTS_PER_MESSAGE) {
    const page = components.slice(at, at + COMPONENTS_PER_MESSAGE);
    const last = at + COMPONENTS_PER_MESSAGE >= components.length;
    updates.push({ type: 'vector', full: full && at === 0, components: page, last });
  }
  return updates;
}

/** The digest of a vector: its components by name. */
export function vectorDigest(vector: InputVector): Uint8Array {
  const names = [...vector.keys()].sort();
  return wholeDigest(
    names.map((name) => {
      const version = vector.get(name);
      return version === undefined || version === 'gone' ? `${name} gone` : `${name} ${version.term} ${version.seq}`;
    }),
  );
}

function sameVersion(a: Version | undefined, b: Version): boolean {
  if (a === undefined || a === 'gone' || b === 'gone') return a === b;
  return a.term === b.term && a.seq === b.seq;
}

/** Assembles a vector from updates. */
export class VectorAssembler {
  #building = new Map<string, Version>();
  #whole: InputVector | undefined;

  /** The vector as of the last complete update; undefined before the first. */
  get vector(): InputVector | undefined {
    return this.#whole;
  }

  /** Both ends already have the vector. */
  begin(vector: InputVector): void {
    this.#building = new Map(vector);
    this.#whole = vector;
  }

  /** @returns whether the vector is complete again */
  take({ full, components, last }: VectorUpdate): boolean {
    if (full) this.#building = new Map();
    for (const { name, version } of components) this.#building.set(name, version);
    if (last) this.#whole = new Map(this.#building);
    return last;
  }
}
