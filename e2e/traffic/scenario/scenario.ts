/** What the YAML files of scenarios hold. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { KubeObject } from '@meshrelay/api';
import type { ClusterSpec, FleetSpec, PolicySpec } from '@meshrelay/plugin-kit';
import { parse } from 'yaml';
import { yamlFiles } from '../../src/documents.ts';

/** A file of scenarios: all on the same clusters, one after the other. */
export interface ScenarioFile {
  /** The name of a file in `fleets`. */
  readonly fleet: string;
  /** What several scenarios have in common, for anchors of YAML. */
  readonly parts?: unknown;
  readonly scenarios: readonly Scenario[];
}

/** Policies on a fleet, and what must come back from requests then. */
export interface Scenario {
  readonly name: string;
  /** Objects that users have in a cluster, besides those of the fleet. */
  readonly objects?: Readonly<Record<string, readonly KubeObject[]>>;
  /** In place of those fields of a cluster of the fleet; Services beside the others. */
  readonly clusters?: Readonly<Record<string, Partial<ClusterSpec>>>;
  readonly policies?: readonly PolicySpec[];
  readonly steps: readonly Step[];
  /** What is said of policies, by their names: the state, and the codes of reports, as `DEGRADED SOME_CODE OTHER_CODE`. Of those not named: ACCEPTED, and nothing else. */
  readonly statuses?: Readonly<Record<string, string>>;
}

/** What is done and seen, in this order: pods end, requests are sent, pods have been asked. */
export interface Step {
  /** Pods that end before, as `<pod>.<namespace>@<cluster>`. */
  readonly end?: readonly string[];
  /** The pod that sends; without it no request is sent. */
  readonly from?: string;
  /** URL. */
  readonly to?: string;
  readonly method?: string;
  /** Those of {@link Sending} have applications answer otherwise. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How often; 3 unless given. */
  readonly times?: number;
  /** How many at the same time; 1 unless given. */
  readonly together?: number;
  readonly expect?: Expectation;
}

/** A value for all, or what share each value has of them, in percent. */
type Shares<T extends string | number> = T | Readonly<Record<string, number>>;

export interface Expectation {
  /** 0: no answer. A list: each of these, at least once. */
  readonly status?: Shares<number> | readonly number[] | 'any';
  /** `<pod>@<cluster>` that answer. A list: some of these, as gateways share out connections, not requests. */
  readonly pods?: Shares<string> | readonly string[];
  /** Headers of every answer, as regular expressions; null: not there. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Of what applications got, likewise. */
  readonly received?: {
    readonly headers?: Readonly<Record<string, string | null>>;
    readonly url?: string;
    readonly method?: string;
    readonly port?: number;
  };
  /** What every body contains. */
  readonly body?: string;
  /** Milliseconds that every answer took at least and at most; ten less than the proxy waits, since it counts by another clock. */
  readonly took?: { readonly least?: number; readonly max?: number };
  /** How many requests for the path each of these pods got on account of this step, in percent of those sent. */
  readonly arrived?: Readonly<Record<string, number>>;
}

/** Scenarios of a file, each with its whole fleet. */
export interface WholeScenario extends Scenario {
  readonly file: string;
  readonly fleet: FleetSpec;
}

/** The one that random fleets are made from. */
export const LAST_FLEET = 'domains';

const FOLDER = join(import.meta.dirname, '..', 'scenarios');

/**
 * All there are. Those on the same fleet stand together, and of them those with one root of trust: with another one, pods have to start again. The fleet that random fleets are made from
 * comes last.
 */
export function allScenarios(): WholeScenario[] {
  const files = yamlFiles(FOLDER).map((path) => ({ path, ...(read(path) as ScenarioFile) }));
  const all = files.flatMap(({ path, fleet, scenarios }) =>
    scenarios.map((scenario) => ({
      ...scenario,
      file: basename(path, '.yaml'),
      base: fleet,
      fleet: fleetOf(scenario, fleetClusters(fleet)),
    })),
  );
  const groupOf = ({ base, fleet }: (typeof all)[number]): string =>
    [base === LAST_FLEET, base, isTrustApart(fleet.management)].join(' ');
  return all.toSorted((one, other) => (groupOf(one) < groupOf(other) ? -1 : groupOf(one) > groupOf(other) ? 1 : 0));
}

/** @param name of a file in `fleets` */
export function fleetClusters(name: string): FleetSpec['clusters'] {
  return read(join(FOLDER, 'fleets', `${name}.yaml`)) as FleetSpec['clusters'];
}

/**
 * Whether there is a VirtualMesh whose members keep their own roots. Where there is no VirtualMesh it makes no difference what the roots are, and they are left as they are: with another
 * one, pods have to start again.
 */
export function isTrustApart(policies: readonly PolicySpec[] = []): boolean {
  return policies.some((policy) => {
    const { mtlsConfig } = (policy['spec'] ?? {}) as { readonly mtlsConfig?: { readonly shared?: object } };
    return 'VirtualMesh' in policy && mtlsConfig?.shared === undefined;
  });
}

function fleetOf(
  { name, objects, clusters: own = {}, policies = [] }: Scenario,
  clusters: FleetSpec['clusters'],
): FleetSpec {
  return {
    about: name,
    clusters: Object.fromEntries(
      Object.entries(clusters).map(([cluster, spec]) => {
        const further = objects?.[cluster] ?? [];
        const services = { ...spec.services, ...own[cluster]?.services };
        return [cluster, { ...spec, ...own[cluster], services, objects: [...(spec.objects ?? []), ...further] }];
      }),
    ),
    management: policies,
  };
}

const documents = new Map<string, unknown>();

/** Each file once. */
function read(path: string): unknown {
  const document = documents.get(path) ?? parse(readFileSync(path, 'utf8'));
  documents.set(path, document);
  return document;
}
