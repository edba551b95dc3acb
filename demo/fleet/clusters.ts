/** The demo's clusters and their workloads. */
import { join } from 'node:path';
import type { ClusterPlan } from '@meshrelay/local-fleet';

const MANIFESTS = join(import.meta.dirname, '../manifests');
const files = (...names: readonly string[]): string[] => names.map((name) => join(MANIFESTS, name));

/** The policies of the demo, as a file. */
export const POLICIES: string = join(MANIFESTS, 'policies.yaml');

export const MANAGEMENT: ClusterPlan = {
  name: 'management',
  region: 'eu-central',
  manifests: [],
  crds: [],
  network: 10,
  agents: 0,
};

export const WORKLOADS: readonly ClusterPlan[] = [
  {
    name: 'cluster-1',
    region: 'us-east',
    manifests: files('istio.yaml', 'bookshop-east.yaml'),
    crds: files('istio-crds.yaml'),
    network: 11,
    mesh: 'istio',
    agents: 2,
  },
  {
    name: 'cluster-2',
    region: 'us-west',
    manifests: files('istio.yaml', 'bookshop-west.yaml'),
    crds: files('istio-crds.yaml'),
    network: 12,
    mesh: 'istio',
    agents: 1,
  },
  {
    name: 'cluster-3',
    region: 'eu-west',
    manifests: files('osm.yaml', 'bookstore.yaml'),
    crds: files('osm-crds.yaml'),
    network: 13,
    mesh: 'osm',
    agents: 1,
  },
];
