/**
 * The oracle: evaluates a definition from scratch each time. It stores only the last valid results of failing
 * functions.
 */
import { type Key, key } from '@meshrelay/plugin';
import { compareKeys } from '../../../src/mod.ts';
import * as plan from './definition.ts';

export type Values = ReadonlyMap<Key, unknown>;
type Buckets = ReadonlyMap<Key, readonly Key[]>;

export interface FleetState {
  readonly collections: ReadonlyMap<string, Values>;
  readonly indexes: ReadonlyMap<string, Buckets>;
  /** Quarantined keys by node, as the graph reports them. */
  readonly quarantined: ReadonlySet<string>;
  /** Per derive and deriveMany node: each item with its value and all its reads. */
  readonly seen: ReadonlyMap<string, ReadonlyMap<Key, string>>;
  /** Last valid results, by node and kind, then key. */
  readonly memory: ReadonlyMap<string, ReadonlyMap<Key, unknown>>;
}

export const emptyFleetState: FleetState = {
  collections: new Map(),
  indexes: new Map(),
  quarantined: new Set(),
  seen: new Map(),
  memory: new Map(),
};

/** The state with these sources, after the state `before`. */
export function evaluate(definition: plan.Definition, sources: readonly Values[], before: FleetState): FleetState {
  const evaluation = new Evaluation(definition, before);
  for (const [number, values] of sources.entries()) evaluation.add(plan.sourceName(number), values, 0);
  for (const [number, node] of definition.nodes.entries()) {
    evaluation.add(plan.nodeName(number), evaluation.node(number, node), node.poison);
  }
  return evaluation;
}

class Evaluation implements FleetState {
  readonly collections = new Map<string, Values>();
  readonly indexes = new Map<string, Buckets>();
  readonly quarantined = new Set<string>();
  readonly seen = new Map<string, Map<Key, string>>();
  readonly memory = new Map<string, Map<Key, unknown>>();
  readonly #definition: plan.Definition;
  readonly #before: FleetState;

  constructor(definition: plan.Definition, before: FleetState) {
    this.#definition = definition;
    this.#before = before;
  }

  add(name: string, values: Values, poison: number): void {
    this.collections.set(name, values);
    const buckets = new Map<Key, Key[]>();
    const memory = `index of ${name}`;
    for (const at of [...values.keys()].sort(compareKeys)) {
      const under = this.#attempt(memory, 'extract', at, () => plan.indexedUnder(poison, values.get(at))) ?? [];
      for (const bucket of new Set(under as Key[])) buckets.set(bucket, [...(buckets.get(bucket) ?? []), at]);
    }
    this.indexes.set(name, buckets);
  }

  node(number: number, node: plan.NodePlan): Values {
    const name = plan.nodeName(number);
    const names = plan.earlier(this.#definition, number);
    const input = this.collections.get(plan.pick(names, node.input)) as Values;
    switch (node.kind) {
      case 'derive':
        return this.#derive(name, number, input);
      case 'deriveMany':
        return this.#deriveMany(name, number, input);
      case 'match':
        return this.#match(name, node, input, this.collections.get(plan.pick(names, node.other)) as Values);
      case 'group':
        return this.#group(name, node, input);
      case 'gather':
        return this.#gather(
          name,
          number,
          plan
            .resolveContext(this.#definition, number, node)
            .map((required) => this.collections.get(required) as Values),
        );
      case 'join':
        return this.#join(
          name,
          plan
            .resolveContext(this.#definition, number, node)
            .map((required) => this.collections.get(required) as Values),
        );
    }
  }

  #derive(name: string, number: number, input: Values): Values {
    const outputs = new Map<Key, unknown>();
    for (const [at, value] of input) {
      const read = this.#recording(name, at, value);
      const output = this.#attempt(name, 'run', at, () => plan.deriveOutput(this.#definition, number, value, read));
      if (output !== undefined) outputs.set(at, output);
    }
    return outputs;
  }

  #deriveMany(name: string, number: number, input: Values): Values {
    const outputs = new Map<Key, unknown>();
    for (const at of [...input.keys()].sort(compareKeys)) {
      const value = input.get(at);
      const read = this.#recording(name, at, value);
      const given = this.#attempt(name, 'run', at, () => {
        const list = [...plan.manyOutputs(this.#definition, number, value, read)];
        if (new Set(list.map(([output]) => output)).size < list.length) throw new Error('the same key twice');
        return list;
      });
      for (const [output, part] of (given ?? []) as [Key, object][]) {
        if (outputs.has(output)) this.quarantined.add(`${name} ${at}`);
        else outputs.set(output, part);
      }
    }
    return outputs;
  }

  #match(name: string, node: plan.NodePlan, left: Values, right: Values): Values {
    const pairs = new Map<Key, unknown>();
    const paired = this.#before.collections.get(name);
    for (const [l, leftValue] of left) {
      const candidateBuckets = this.#attempt(name, 'wants', l, () => plan.bucketsOf(node, leftValue, 1));
      for (const [r, rightValue] of right) {
        const stands = this.#attempt(name, 'standsIn', r, () => plan.bucketsOf(node, rightValue, 2));
        if (!((stands ?? []) as Key[]).some((bucket) => ((candidateBuckets ?? []) as Key[]).includes(bucket))) continue;
        const pair = key(l, r);
        try {
          if (plan.pairMatches(node, leftValue, rightValue)) pairs.set(pair, { left: l, right: r });
        } catch {
          this.quarantined.add(`${name} ${pair}`);
          if (paired?.has(pair)) pairs.set(pair, paired.get(pair));
        }
      }
    }
    // Without left items, the loop above computes no buckets of right items.
    for (const [r, value] of right) this.#attempt(name, 'standsIn', r, () => plan.bucketsOf(node, value, 2));
    return pairs;
  }

  #group(name: string, node: plan.NodePlan, input: Values): Values {
    const parts = new Map<Key, number[]>();
    for (const at of [...input.keys()].sort(compareKeys)) {
      const given = this.#attempt(name, 'into', at, () => plan.contributionsOf(node, input.get(at)));
      for (const [group, part] of (given ?? []) as [Key, number][])
        parts.set(group, [...(parts.get(group) ?? []), part]);
    }
    const groups = new Map<Key, unknown>();
    for (const [group, list] of parts) {
      const sorted = this.#attempt(name, 'sort', group, () => list.toSorted((a, b) => plan.compareParts(node, a, b)));
      if (sorted !== undefined) groups.set(group, sorted);
    }
    return groups;
  }

  #gather(name: string, number: number, inputs: readonly Values[]): Values {
    const parts = new Map<Key, unknown[]>();
    for (const [nth, input] of inputs.entries()) {
      for (const at of [...input.keys()].sort(compareKeys)) {
        const give = () => plan.givenParts(this.#definition, number, input.get(at), (...read) => this.#read(...read));
        const given = this.#attempt(name, `gives ${nth}`, at, give) as [Key, object][] | undefined;
        for (const [to, part] of given ?? []) parts.set(to, [...(parts.get(to) ?? []), part]);
      }
    }
    const made = new Map<Key, unknown>();
    for (const [at, list] of parts) {
      const make = () => plan.madeOf(this.#definition, number, list, (...read) => this.#read(...read));
      const value = this.#attempt(name, 'make', at, make);
      if (value !== undefined) made.set(at, value);
    }
    return made;
  }

  #join(name: string, inputs: readonly Values[]): Values {
    const union = new Map<Key, unknown>();
    for (const input of inputs) {
      for (const [at, value] of input) {
        if (union.has(at)) this.quarantined.add(`${name} ${at}`);
        else union.set(at, value);
      }
    }
    return union;
  }

  /** The result, or the last valid one if `run` throws. */
  #attempt(node: string, what: string, at: Key, run: () => unknown): unknown {
    const place = `${node} ${what}`;
    let memory = this.memory.get(place);
    if (memory === undefined) {
      memory = new Map();
      this.memory.set(place, memory);
    }
    let result: unknown;
    try {
      result = run();
    } catch {
      this.quarantined.add(`${node} ${at}`);
      result = this.#before.memory.get(place)?.get(at);
    }
    memory.set(at, result);
    return result;
  }

  /** A read that records its results. */
  #recording(name: string, at: Key, value: unknown): plan.NamedRead {
    let items = this.seen.get(name);
    if (items === undefined) {
      items = new Map();
      this.seen.set(name, items);
    }
    const reads = items;
    reads.set(at, JSON.stringify(value));
    return (via, collection, target) => {
      const result = this.#read(via, collection, target);
      reads.set(at, `${reads.get(at)} ${via} ${collection} ${target} ${JSON.stringify(result ?? null)}`);
      return result;
    };
  }

  #read(via: plan.RecordedRead['via'], collection: string, at: Key): unknown {
    const values = this.collections.get(collection) as Values;
    if (via === 'get') return values.get(at);
    if (via === 'has') return values.has(at);
    const members = this.indexes.get(collection)?.get(at) ?? [];
    if (via === 'any') return members.length > 0;
    return via === 'count' ? members.length : members.map((member) => [member, values.get(member)]);
  }
}
