/** What the playground answers: the offline commands of meshctl on text, with their own output. */
import type { KubeObject } from '@meshrelay/api';
import {
  discoveredText,
  explainText,
  type GivenFile,
  InputError,
  laterInputs,
  objectsIn,
  planText,
  policyLine,
  withApplied,
} from '@meshrelay/cli/in-memory';
import envoy from '@meshrelay/plugin-envoy';
import istio from '@meshrelay/plugin-istio';
import osm from '@meshrelay/plugin-osm';
import {
  buildFleet,
  CORE_WATCHES,
  type ControlPlane,
  explain,
  type FleetInputs,
  kindsReported,
  loadPlugins,
  plan,
  valuesInOrder,
} from '@meshrelay/relay-core';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { stringify } from 'yaml';

/** The text of all editors. */
export interface Question {
  /** Objects of each cluster, as `kubectl get -o yaml` prints them. */
  readonly clusters: ReadonlyArray<{ readonly name: string; readonly text: string }>;
  /** Objects of the management cluster before the change. */
  readonly management: string;
  /** Objects to apply to the management cluster. */
  readonly change: string;
  /** What to explain, as the argument of `meshctl explain`. */
  readonly subject: string;
}

/** A text for each view. */
export interface Results {
  readonly plan: string;
  readonly discovered: string;
  readonly policies: string;
  readonly objects: string;
  readonly explanation: string;
}

/** `problem` says what is wrong in the input, with editor and line. */
export type Answer = { readonly results: Results } | { readonly problem: string };

const plugins = loadPlugins([
  { module: '@meshrelay/plugin-istio', plugin: istio },
  { module: '@meshrelay/plugin-osm', plugin: osm },
  { module: '@meshrelay/plugin-envoy', plugin: envoy },
]);
const CLUSTER_KINDS = [
  ...CORE_WATCHES,
  ...plugins.flatMap(({ plugin }) => [...plugin.watches, ...kindsReported(plugin)]),
];

export function answer(question: Question): Answer {
  try {
    return { results: resultsOf(question) };
  } catch (cause) {
    if (cause instanceof InputError) return { problem: cause.message };
    throw cause;
  }
}

function resultsOf({ clusters: given, management: config, change, subject }: Question): Results {
  const clusters = given.map(({ name, text }) => ({ name, objects: objectsIn([fileOf(name, text)], CLUSTER_KINDS) }));
  const management = objectsIn([fileOf('management cluster', config)], []);
  const before = fleetOf({ clusters, management });
  const changed = withApplied(management, objectsIn([fileOf('change', change)], []));
  const after = fleetOf(laterInputs(before, { clusters, management: changed }));
  return {
    plan: planText(plan(before, after)),
    discovered: discoveredText(valuesInOrder(after.shown.activate().discovered), 'table'),
    policies: valuesInOrder(after.statuses)
      .map(({ ref, status }) => `${policyLine(ref, status)}\n`)
      .join(''),
    objects: valuesInOrder(after.desired)
      .map(({ cluster, object }) => `# for ${cluster}\n${stringify(object)}`)
      .join('---\n'),
    explanation: explanationOf(after, subject),
  };
}

function fileOf(path: string, text: string): GivenFile {
  return { path, given: path, text };
}

/** @throws InputError as meshctl does */
function fleetOf(inputs: Pick<FleetInputs, 'clusters'> & { readonly management: readonly KubeObject[] }): ControlPlane {
  try {
    return buildFleet({ ...inputs, plugins, hash });
  } catch (cause) {
    throw new InputError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** The programs' hash: the same names and addresses follow. */
function hash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text))).slice(0, 32);
}

function explanationOf(fleet: ControlPlane, subject: string): string {
  if (subject.trim() === '') return 'name a policy, a Service or an object, such as trafficpolicy/reviews-canary\n';
  const answered = explain(fleet, subject.trim());
  return 'problem' in answered ? `${answered.message}\n` : explainText(answered.document);
}
