/** The contents of the YAML files of scenarios. */
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
  /** Common parts of several scenarios, for YAML anchors. */
  readonly parts?: unknown;
  readonly scenarios: readonly Scenario[];
}

/** Policies on a fleet, and the expected responses to requests. */
export interface Scenario {
  readonly name: string;
  /** Users' objects in a cluster, in addition to those of the fleet. */
  readonly objects?: Readonly<Record<string, readonly KubeObject[]>>;
  /** Replaces these fields of a cluster of the fleet; Services are added. */
  readonly clusters?: Readonly<Record<string, Partial<ClusterSpec>>>;
  readonly policies?: readonly PolicySpec[];
  readonly steps: readonly Step[];
  /**
   * Expected statuses of policies, by name: the state and the codes of reports, as `DEGRADED SOME_CODE OTHER_CODE`.
   * Default: ACCEPTED without a report.
   */
  readonly statuses?: Readonly<Record<string, string>>;
}

/** Actions and checks in this order: pods end, requests are sent, pods' requests are counted. */
export interface Step {
  /** Pods that end before, as `<pod>.<namespace>@<cluster>`. */
  readonly end?: readonly string[];
  /** The pod that sends; without it no request is sent. */
  readonly from?: string;
  /** URL. */
  readonly to?: string;
  readonly method?: string;
  /** Headers of {@link Sending} change how applications respond. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Number of requests; 3 by default. */
  readonly times?: number;
  /** Number of concurrent requests; 1 by default. */
  readonly together?: number;
  readonly expect?: Expectation;
}

/** A value for all, or the percentage of each value. */
type Shares<T extends string | number> = T | Readonly<Record<string, number>>;

export interface Expectation {
  /** 0: no response. A list: each of these, at least once. */
  readonly status?: Shares<number> | readonly number[] | 'any';
  /** `<pod>@<cluster>` that respond. A list: some of these, because gateways distribute connections, not requests. */
  readonly pods?: Shares<string> | readonly string[];
  /** Headers of every response, as regular expressions; null: absent. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Headers of the requests that applications received, likewise. */
  readonly received?: {
    readonly headers?: Readonly<Record<string, string | null>>;
    readonly url?: string;
    readonly method?: string;
    readonly port?: number;
  };
  /** Text in every body. */
  readonly body?: string;
  /**
   * Minimum and maximum duration of every response in milliseconds; the minimum is ten below the proxy's delay, because
   * clocks differ.
   */
  readonly took?: { readonly least?: number; readonly max?: number };
  /** Number of requests for the path that each of these pods received in this step, in percent of those sent. */
  readonly arrived?: Readonly<Record<string, number>>;
}

/** Scenarios of a file, each with its complete fleet. */
export interface WholeScenario extends Scenario {
  readonly file: string;
  readonly fleet: FleetSpec;
}

/** The fleet from which random fleets are derived. */
export const LAST_FLEET = 'domains';

const FOLDER = join(import.meta.dirname, '..', 'scenarios');

/**
 * All scenarios, grouped by fleet and then by root of trust, because pods must restart for another root. The fleet of
 * the random fleets comes last.
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
 * Whether there is a VirtualMesh whose members keep their own roots. Without a VirtualMesh the roots do not matter, so
 * they are not changed: pods must restart for another root.
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
