/** A fleet in which one object at a time is corrupted, and the state that must not change by it. */
import {
  type ControlPlane,
  canonicalJson,
  type DesiredObject,
  valuesInOrder,
  withoutNoise,
} from '@meshrelay/relay-core';
import type { Change } from '../fleets/fleet.ts';
import { RunningFleet } from '../fleets/running-fleet.ts';
import type { Spoilt } from './poison.ts';

type Outputs = ReadonlyMap<string, string>;

/** The violation that one corruption caused. */
export type Harm = string;

/** A mesh configuration that is not YAML is reported as a fault: the mesh keeps its previous state. */
const IS_REPORTED = /^istio\/mesh-configs .*: (YAML|RangeError)/;

export class PoisonWard {
  readonly #fleet = new RunningFleet();
  readonly #intact: Outputs;
  /** Outputs without an object, by the object. */
  readonly #without = new Map<Change, Outputs>();

  /** @param objects of a fleet without faults */
  constructor(objects: readonly Change[]) {
    this.#fleet.live(objects);
    this.#intact = outputsOf(this.#fleet.plane);
  }

  /** Number of outputs without corruption. */
  get size(): number {
    return this.#intact.size;
  }

  /**
   * Corrupts an object and restores it. An output that is the same with and without the object does not depend on it,
   * and so must not change.
   */
  give(change: Change, { object, what, mayMakeSense }: Spoilt): Harm[] {
    const without = this.#outputsWithout(change);
    const harm: Harm[] = [];
    if (isTaken(object)) this.#live({ ...change, object }, harm);
    const spoiltOutputs = outputsOf(this.#fleet.plane);
    for (const [name, text] of this.#intact)
      if (!mayMakeSense && without.get(name) === text && spoiltOutputs.get(name) !== text)
        harm.push(`it changed ${name}`);
    harm.push(...this.#fleet.faults().filter((fault) => !IS_REPORTED.test(fault)));
    this.#live(change, harm);
    harm.push(...this.#fleet.faults());
    if (!same(outputsOf(this.#fleet.plane), this.#intact))
      harm.push('outputs are not as before after the object is corrected');
    const { kind, metadata } = change.object;
    return harm.map((one) => `${kind} ${metadata.name} of ${change.cluster || 'management'}, ${what}: ${one}`);
  }

  #outputsWithout(change: Change): Outputs {
    const known = this.#without.get(change);
    if (known !== undefined) return known;
    this.#fleet.live([{ ...change, gone: true }]);
    const without = outputsOf(this.#fleet.plane);
    this.#fleet.live([change]);
    this.#without.set(change, without);
    return without;
  }

  #live(change: Change, harm: Harm[]): void {
    try {
      this.#fleet.live([change]);
    } catch (error) {
      harm.push(`the commit threw ${String(error)}`);
    }
  }
}

/** Discovery rejects objects that cannot be identified, and keeps its previous state of them. */
export function isTaken(object: Change['object']): boolean {
  try {
    withoutNoise(object);
    return true;
  } catch {
    return false;
  }
}

/** Serializes each output once; most are identical between two corruptions. */
const LINES = new WeakMap<DesiredObject, readonly [name: string, text: string]>();

function outputsOf({ desired }: ControlPlane): Outputs {
  return new Map(valuesInOrder(desired).map(lineOf));
}

function lineOf(desired: DesiredObject): readonly [name: string, text: string] {
  const known = LINES.get(desired);
  if (known !== undefined) return known;
  const { cluster, object, sourcePolicies } = desired;
  const { kind, metadata } = object;
  const line = [
    `${cluster} ${kind} ${metadata.namespace}/${metadata.name}`,
    canonicalJson([object, sourcePolicies]),
  ] as const;
  LINES.set(desired, line);
  return line;
}

function same(a: Outputs, b: Outputs): boolean {
  return a.size === b.size && [...a].every(([name, text]) => b.get(name) === text);
}
