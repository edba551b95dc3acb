/** The fleets that rows are tried on: the demo's clusters, apps and policies. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '@meshrelay/api';
import type { ClusterPlan } from '@meshrelay/local-fleet';
import { parseAllDocuments } from 'yaml';

const MANIFESTS = join(import.meta.dirname, '../../../demo/manifests');
const files = (...names: readonly string[]): string[] => names.map((name) => join(MANIFESTS, name));

/** What a fleet is made of. */
export interface FleetPlan {
  readonly management: ClusterPlan;
  readonly workloads: readonly ClusterPlan[];
  readonly policies: readonly KubeObject[];
  /** How many replicas the server has. */
  readonly servers: number;
  /** Whether the servers share a Redis; without one there is one server. */
  readonly redis: boolean;
}

const MANAGEMENT: ClusterPlan = {
  name: 'management',
  region: 'eu-central',
  manifests: [],
  crds: [],
  network: 10,
  agents: 0,
};

const EAST: ClusterPlan = {
  name: 'cluster-1',
  region: 'us-east',
  manifests: files('istio.yaml', 'bookshop-east.yaml'),
  crds: files('istio-crds.yaml'),
  network: 11,
  mesh: 'istio',
  agents: 2,
};

const WEST: ClusterPlan = {
  name: 'cluster-2',
  region: 'us-west',
  manifests: files('istio.yaml', 'bookshop-west.yaml'),
  crds: files('istio-crds.yaml'),
  network: 12,
  mesh: 'istio',
  agents: 1,
};

const STORE: ClusterPlan = {
  name: 'cluster-3',
  region: 'eu-west',
  manifests: files('osm.yaml', 'bookstore.yaml'),
  crds: files('osm-crds.yaml'),
  network: 13,
  mesh: 'osm',
  agents: 1,
};

function policies(): KubeObject[] {
  const [file = ''] = files('policies.yaml');
  return parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as KubeObject);
}

/** Two clusters with Istio and one with OSM. */
export const WHOLE: FleetPlan = {
  management: MANAGEMENT,
  workloads: [EAST, WEST, STORE],
  policies: policies(),
  servers: 1,
  redis: false,
};

/** The same with three servers on one Redis. */
export const SHARED: FleetPlan = { ...WHOLE, servers: 3, redis: true };
