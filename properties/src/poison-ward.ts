/** A fleet in which one object at a time is spoilt, and what must not change by it. */
import { type ControlPlane, canonicalJson, valuesInOrder, withoutNoise } from '@meshrelay/relay-core';
import { type Dose, poisoned } from './poison.ts';
import { RunningFleet } from './running-fleet.ts';
import type { Change } from './world.ts';

type Outputs = ReadonlyMap<string, string>;

/** What one dose did that it must not. */
export type Harm = string;

export class PoisonWard {
  readonly #fleet = new RunningFleet();
  readonly #intact: Outputs;
  /** Outputs without an object, by the object. */
  readonly #without = new Map<Change, Outputs>();

  /** @param objects of a fleet that works */
  constructor(objects: readonly Change[]) {
    this.#fleet.live(objects);
    this.#intact = outputsOf(this.#fleet.plane);
  }

  /** How many outputs there are when nothing is spoilt. */
  get size(): number {
    return this.#intact.size;
  }

  /** Spoils an object and mends it again. An output that is the same with and without the object does not depend on it, and so must stay. */
  give(change: Change, dose: Dose): Harm[] {
    const without = this.#outputsWithout(change);
    const spoilt = poisoned(change.object, dose);
    const what = `${change.object.kind} ${change.object.metadata.name} of ${change.cluster || 'management'}, ${dose.path.join('.')} = ${JSON.stringify(dose.value)}`;
    const harm: Harm[] = [];
    if (isTaken(spoilt)) this.#live({ ...change, object: spoilt }, harm);
    const spoiltOutputs = outputsOf(this.#fleet.plane);
    for (const [name, text] of this.#intact)
      if (without.get(name) === text && spoiltOutputs.get(name) !== text) harm.push(`it changed ${name}`);
    harm.push(...this.#fleet.faults());
    this.#live(change, harm);
    if (!same(outputsOf(this.#fleet.plane), this.#intact)) harm.push('outputs are not as before when it is mended');
    return harm.map((one) => `${what}: ${one}`);
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

/** What nobody can name is refused where it comes in, and what was known of it stays. */
function isTaken(object: Change['object']): boolean {
  try {
    withoutNoise(object);
    return true;
  } catch {
    return false;
  }
}

function outputsOf({ desired }: ControlPlane): Outputs {
  return new Map(
    valuesInOrder(desired).map(({ cluster, object, because }) => {
      const { kind, metadata } = object;
      return [`${cluster} ${kind} ${metadata.namespace}/${metadata.name}`, canonicalJson([object, because])];
    }),
  );
}

function same(a: Outputs, b: Outputs): boolean {
  return a.size === b.size && [...a].every(([name, text]) => b.get(name) === text);
}
