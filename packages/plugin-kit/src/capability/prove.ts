/**
 * Proves that a plugin supports a field of the views as its capability table claims: from its outputs and its reports.
 */
import type { KubeObject, Report } from '@meshrelay/api';
import type { Capability, MeshPlugin, ViewField } from '@meshrelay/plugin';
import { buildFleet, type ControlPlane, canonicalJson, statusDocument, valuesInOrder } from '@meshrelay/relay-core';
import type { PolicySpec } from '../fleet/policy-object.ts';
import { sha256 } from '../hash.ts';
import { factsOf, metadataFacts } from '../output-facts.ts';
import { loaded, type TestedPlugin } from '../tested-plugin.ts';
import type { Probe } from './probe.ts';
import { probeFleet, probePolicies } from './probe-fleet.ts';
import { PROBES } from './probes.ts';

/** The result of probing a mesh for one field. */
export interface CapabilityProof {
  readonly field: ViewField;
  /** The claim of the plugin's table. */
  readonly claim: Capability;
  /** Kinds of the objects that the field changes, sorted. */
  readonly kinds: readonly string[];
  /** The component that supports the field, if it is not an object of the mesh. */
  readonly supportedBy?: string;
  /** Why the claim is wrong; omitted if it holds. */
  readonly problem?: string;
}

/** Probes a mesh for one field, by each of its probes. */
export function proveCapability(tested: TestedPlugin, field: ViewField): CapabilityProof {
  const proofs = PROBES[field].map((probe) => proofBy(probe, tested, field));
  const [first] = proofs;
  if (first === undefined) throw new Error(`no probe proves ${field}; add one to the samples of its field`);
  const wrong = proofs.find(({ problem }) => problem !== undefined);
  return { ...(wrong ?? first), kinds: [...new Set(proofs.flatMap(({ kinds }) => kinds))].sort() };
}

/**
 * Compares the objects of a field's probes with what the author expects of the mesh.
 * @returns the first that is not met, with the facts that the probes add, those like it first; undefined if all are met
 */
export function missingFact(tested: TestedPlugin, field: ViewField, expected: readonly string[]): string | undefined {
  const added = new Set(
    PROBES[field].flatMap((probe) => {
      const known = outcome(tested, probe.without ?? []).facts;
      return [...outcome(tested, probe.asks).facts].filter((fact) => !known.has(fact));
    }),
  );
  const isMet = (one: string): boolean =>
    one.startsWith(NOT) ? ![...added].some((fact) => fact.startsWith(one.slice(NOT.length))) : added.has(one);
  const missing = expected.find((one) => !isMet(one));
  if (missing === undefined) return undefined;
  const shown = likest([...added], missing.replace(NOT, ''))
    .slice(0, MAX_SHOWN)
    .join('\n  ');
  const what = missing.startsWith(NOT) ? 'but a probe of the field adds it' : 'which no probe of the field adds';
  return `the author expects "${missing}", ${what}; added are:\n  ${shown}`;
}

/** Before the beginning of facts that no probe may add. */
const NOT = 'not ';
const MAX_SHOWN = 40;

/** Those first that begin like the text. */
function likest(facts: readonly string[], text: string): readonly string[] {
  const alike = (fact: string): number => {
    const at = [...text].findIndex((letter, index) => fact[index] !== letter);
    return at < 0 ? text.length : at;
  };
  return [...facts].sort((one, other) => alike(other) - alike(one));
}

function proofBy(probe: Probe, tested: TestedPlugin, field: ViewField): CapabilityProof {
  const claim = tested.plugin.capabilities[field];
  const asks = outcome(tested, probe.asks);
  const without = outcome(tested, probe.without ?? []);
  const kinds = differingKinds(asks, without);
  const reported = asks.reports.filter((report) => !without.reports.some((known) => known.text === report.text));
  const problem =
    waiting(asks) ??
    (typeof claim === 'string'
      ? nativeProblem(probe, kinds, reported)
      : 'unsupported' in claim
        ? unsupportedProblem(tested, field, probe, asks)
        : 'always' in claim
          ? alwaysProblem(kinds, reported)
          : degradedProblem(field, claim.degraded, { kinds, asks }, probe));
  const { supportedBy } = probe;
  return {
    field,
    claim,
    kinds,
    ...(supportedBy === undefined ? {} : { supportedBy }),
    ...(problem === undefined ? {} : { problem }),
  };
}

interface Reported {
  readonly report: Report;
  /** With the policy that it belongs to. */
  readonly text: string;
}

interface Outcome {
  /** The text of each object, with the plugin's own labels and annotations, by its cluster, kind and name. */
  readonly objects: ReadonlyMap<string, { readonly kind: string; readonly text: string }>;
  /** The facts of all objects, with their labels and annotations: each by itself and after its cluster. */
  readonly facts: ReadonlySet<string>;
  readonly reports: readonly Reported[];
  /** Policies that are not effective, with the reason. */
  readonly refused: readonly string[];
}

const OUTCOMES = new WeakMap<TestedPlugin, Map<string, Outcome>>();

/** The result of the policies. Many probes are compared with the same policies, so each set is built once. */
function outcome(tested: TestedPlugin, policies: readonly PolicySpec[]): Outcome {
  const outcomes = OUTCOMES.get(tested) ?? new Map<string, Outcome>();
  OUTCOMES.set(tested, outcomes);
  const text = canonicalJson(policies);
  const known = outcomes.get(text);
  if (known !== undefined) return known;
  const made = build(tested, policies);
  outcomes.set(text, made);
  return made;
}

function build(tested: TestedPlugin, policies: readonly PolicySpec[]): Outcome {
  const fleet = probeFleet(tested);
  const management = probePolicies(policies, fleet, tested);
  const plane = buildFleet({ clusters: fleet.clusters, management, plugins: loaded(tested), hash: sha256 });
  return { objects: objectsOf(plane), facts: factsIn(plane), ...wordsOf(plane) };
}

function objectsOf({ desired }: ControlPlane): Outcome['objects'] {
  return new Map(
    valuesInOrder(desired).map(({ cluster, object }) => {
      const { metadata, ...rest } = object;
      const { name, namespace = '' } = metadata;
      const text = canonicalJson([rest, ...metadataFacts(object as unknown as KubeObject)]);
      return [`${cluster} ${object.kind} ${namespace}/${name}`, { kind: object.kind, text }];
    }),
  );
}

function factsIn({ desired }: ControlPlane): ReadonlySet<string> {
  return new Set(
    valuesInOrder(desired).flatMap(({ cluster, object }) => {
      const facts = [...factsOf(object as unknown as KubeObject), ...metadataFacts(object as unknown as KubeObject)];
      return [...facts, ...facts.map((fact) => `${cluster}: ${fact}`)];
    }),
  );
}

function wordsOf(plane: ControlPlane): Pick<Outcome, 'reports' | 'refused'> {
  const { policies } = statusDocument(plane);
  return {
    reports: policies.flatMap(({ kind, name, reports, targets }) =>
      [...reports, ...targets.flatMap((target) => target.reports)].map((report) => ({
        report,
        text: `${kind} ${name}: ${report.code} ${report.message}`,
      })),
    ),
    refused: policies
      .filter(({ state }) => state !== 'ACCEPTED' && state !== 'DEGRADED')
      .map(({ kind, name, state, reports, targets }) => {
        const words = [...reports, ...targets.flatMap((target) => target.reports)].map(({ message }) => message);
        return `${kind} ${name} is ${state}: ${[...new Set(words)].join('; ')}`;
      }),
  };
}

function differingKinds(one: Outcome, other: Outcome): readonly string[] {
  const names = new Set([...one.objects.keys(), ...other.objects.keys()]);
  const differing = [...names].filter((name) => one.objects.get(name)?.text !== other.objects.get(name)?.text);
  return [...new Set(differing.map((name) => (one.objects.get(name) ?? other.objects.get(name))?.kind ?? ''))].sort();
}

/** A policy that is not effective proves nothing. */
function waiting({ refused }: Outcome): string | undefined {
  return refused.length === 0 ? undefined : `the probe's policy is not applied: ${refused.join('; ')}`;
}

function nativeProblem(
  { supportedBy }: Probe,
  kinds: readonly string[],
  reported: readonly Reported[],
): string | undefined {
  const loud = reported.filter(({ report }) =>
    supportedBy === undefined
      ? report.severity !== 'info'
      : report.code === 'UNSUPPORTED' || report.code === 'DEGRADED',
  );
  if (loud.length > 0) return `it is "native", but its policy has reports: ${loud.map(({ text }) => text).join('; ')}`;
  if (supportedBy !== undefined || kinds.length > 0) return undefined;
  return 'it is "native", but no object differs from those without it; if the mesh does it anyway, say { always: why }';
}

function alwaysProblem(kinds: readonly string[], reported: readonly Reported[]): string | undefined {
  if (kinds.length > 0) return `it is "always", but it changes objects: ${kinds.join(', ')}`;
  const loud = reported.filter(({ report }) => report.severity !== 'info');
  return loud.length === 0
    ? undefined
    : `it is "always", but its policy has reports: ${loud.map(({ text }) => text).join('; ')}`;
}

function degradedProblem(
  field: ViewField,
  note: string,
  { kinds, asks }: { readonly kinds: readonly string[]; readonly asks: Outcome },
  { supportedBy }: Probe,
): string | undefined {
  if (!says(asks.reports, 'DEGRADED', field, note)) return `it is "degraded", but no policy reports: ${note}`;
  if (supportedBy !== undefined || kinds.length > 0) return undefined;
  return 'it is "degraded", but no object differs from those without it; a field without any effect is { unsupported: why }';
}

function unsupportedProblem(tested: TestedPlugin, field: ViewField, probe: Probe, asks: Outcome): string | undefined {
  const reason = unsupportedReasonOf(tested.plugin, field);
  if (!says(asks.reports, 'UNSUPPORTED', field, reason)) return `it is "unsupported", but no policy reports: ${reason}`;
  const kinds = differingKinds(asks, outcome(tested, probe.refused ?? probe.without ?? []));
  return kinds.length === 0 ? undefined : `it is "unsupported", but it changes objects: ${kinds.join(', ')}`;
}

function unsupportedReasonOf({ capabilities }: MeshPlugin, field: ViewField): string {
  const claim = capabilities[field];
  return typeof claim === 'object' && 'unsupported' in claim ? claim.unsupported : '';
}

function says(reports: readonly Reported[], code: string, field: ViewField, words: string): boolean {
  return reports.some(
    ({ report }) => report.code === code && report.message.includes(` ${field}`) && report.message.includes(words),
  );
}
