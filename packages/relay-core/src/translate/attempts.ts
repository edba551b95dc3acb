/** Handles plugins that throw: their last good output stays, and the source policies of the view get a report. */
import type { PolicyRef } from '@meshrelay/api';
import type { Collection, Key } from '@meshrelay/plugin';
import type { Graph } from '../graph/collection.ts';
import { collectDiagnostics, type Diagnostic } from '../resolve/mod.ts';
import { compareRefs, mergeRefs } from '../store/precedence.ts';

/** What a plugin was translating when it threw. */
export interface Attempted {
  readonly plugin: string;
  readonly target: Diagnostic['target'];
  readonly policies: readonly PolicyRef[];
}

interface Failure extends Attempted {
  readonly message: string;
  readonly stack?: string;
}

/** Plain data, like everything in the graph: the error that was thrown, as text. */
type Attempt<Out> = Out | Failed;

interface Failed {
  readonly failure: Failure;
}

export interface Outcomes<Out> {
  /** Under the keys of the items; if the plugin fails on an item, its last good output. */
  readonly outputs: Collection<Out>;
  readonly diagnostics: Collection<Diagnostic>;
}

export interface AttemptOptions<In, Out> {
  /** Called only if `run` throws. */
  readonly about: (item: In) => Attempted;
  /** As in `derive`. */
  readonly reuse?: (before: Out, after: Out) => Out;
}

/**
 * Runs plugins over a collection. An item on which a plugin throws is also one of the graph's faults.
 * Hosts log and count these faults. Offline commands have no earlier output to keep, so they stop with an error.
 */
export function attempt<In, Out extends object>(
  graph: Graph,
  name: string,
  items: Collection<In>,
  run: (item: In, key: Key) => Out | undefined,
  { about, reuse = asItIs }: AttemptOptions<In, Out>,
): Outcomes<Out> {
  const attempts = graph.derive(
    `${name}/attempts`,
    items,
    (item, _read, key): Attempt<Out> | undefined => {
      try {
        return run(item, key);
      } catch (error) {
        return { failure: failureOf(about(item), error) };
      }
    },
    { reuse: (before, after) => (hasFailed(before) || hasFailed(after) ? after : reuse(before, after)) },
  );
  return {
    outputs: graph.derive(name, attempts, (one): Out => {
      if (hasFailed(one)) throw thrown(one.failure);
      return one;
    }),
    diagnostics: collectDiagnostics(graph, `${name}/failures`, attempts, (one) =>
      hasFailed(one) ? diagnosticsFor(one.failure) : [],
    ),
  };
}

function asItIs<Out>(_before: Out, after: Out): Out {
  return after;
}

function hasFailed(one: object): one is Failed {
  return 'failure' in one;
}

function failureOf(attempted: Attempted, error: unknown): Failure {
  if (!(error instanceof Error)) return { ...attempted, message: String(error) };
  return { ...attempted, message: error.message, ...(error.stack === undefined ? {} : { stack: error.stack }) };
}

/** The error that the plugin threw, as closely as plain data can represent it. */
function thrown({ plugin, message, stack }: Failure): Error {
  const error = new Error(`plugin ${plugin}: ${message}`);
  if (stack !== undefined) error.stack = stack;
  return error;
}

function diagnosticsFor({ plugin, target, policies, message }: Failure): Diagnostic[] {
  return policies.map((policy) => ({
    policy,
    target,
    state: 'FAILED',
    reports: [
      {
        code: 'PLUGIN_FAILED',
        severity: 'error',
        message: `plugin ${plugin} failed here, so its previous objects stay applied: ${message}; report it to the plugin's author`,
      },
    ],
  }));
}

/** All source policies of a view, each once. */
export function sourcePoliciesOf(view: unknown): readonly PolicyRef[] {
  const found: PolicyRef[] = [];
  collect(view, found);
  return mergeRefs(found).toSorted(compareRefs);
}

function collect(value: unknown, into: PolicyRef[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (isRef(value)) into.push(value);
  else for (const part of Object.values(value)) collect(part, into);
}

const REF_FIELDS: ReadonlySet<string> = new Set<keyof PolicyRef>(['kind', 'cluster', 'namespace', 'name']);

/** Only policy references have exactly these fields in views. */
function isRef(value: object): value is PolicyRef {
  const names = Object.keys(value);
  return names.length === REF_FIELDS.size && names.every((name) => REF_FIELDS.has(name));
}
