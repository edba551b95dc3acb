/** Effects that a corrupted object must not have. */
import process from 'node:process';
import { canonicalJson } from '@meshrelay/relay-core';
import type { Change } from '../fleets/fleet.ts';
import { type Attempt, nameIn, type ObjectName, spoilt } from './fuzz.ts';
import { PoisonWard } from './poison-ward.ts';

/** Maximum CPU time of an attempt, as a multiple of a usual one. */
const TIMES_THE_USUAL = 500;
/** Number of attempts that define the usual time. */
const USUAL = 200;

/** Retains one fleet and tries one attempt after the other on it; starts a new fleet after each violation. */
export class Fuzz {
  readonly #fleet: readonly Change[];
  #ward: PoisonWard;
  readonly #costs: number[] = [];
  /** Number of tried objects, by kind. */
  readonly tried = new Map<string, number>();

  constructor(fleet: readonly Change[]) {
    this.#fleet = fleet;
    this.#ward = new PoisonWard(fleet);
  }

  /** @throws Error that describes the violation */
  try(attempt: Attempt): void {
    const change = this.#find(attempt.object);
    const poison = spoilt(change.object, attempt);
    const { kind } = change.object;
    this.tried.set(kind, (this.tried.get(kind) ?? 0) + 1);
    const begun = process.cpuUsage();
    const harm = [...this.#ward.give(change, poison), ...pollution()];
    const { user, system } = process.cpuUsage(begun);
    const bound = this.#bound();
    if (user + system > bound)
      harm.push(
        `${kind}, ${poison.what}: it took ${Math.round((user + system) / 1000)} ms, of at most ${Math.round(bound / 1000)}`,
      );
    if (harm.length === 0) {
      this.#costs.push(user + system);
      return;
    }
    this.#ward = new PoisonWard(this.#fleet);
    throw new Error(harm.slice(0, 10).join('\n'));
  }

  #find(required: ObjectName): Change {
    const found = this.#fleet.find((one) => canonicalJson(nameIn(one)) === canonicalJson(required));
    if (found === undefined) throw new Error(`the fleet has no ${required.kind} ${required.name}`);
    return found;
  }

  /** In microseconds. */
  #bound(): number {
    if (this.#costs.length < USUAL) return Number.POSITIVE_INFINITY;
    const first = this.#costs.slice(0, USUAL).sort((a, b) => a - b);
    return TIMES_THE_USUAL * (first[USUAL / 2] as number);
  }
}

const PROTOTYPES = [Object.prototype, Array.prototype, Function.prototype, Map.prototype];
const INTACT = PROTOTYPES.map((one) => Object.getOwnPropertyNames(one).length);

function pollution(): string[] {
  const names = PROTOTYPES.flatMap((one, index) => Object.getOwnPropertyNames(one).slice(INTACT[index]));
  return names.length === 0 ? [] : [`prototypes have new members: ${names.join(', ')}`];
}
