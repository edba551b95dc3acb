/** Server and agents of the story: how Helm and meshctl install, upgrade and remove them. */
import { join } from 'node:path';
import { ROOT } from '@meshrelay/programs';
import { eventually } from '@meshrelay/testing';
import { chartFolder } from '../../src/helm.ts';
import type { RealCluster } from '../lab/real-cluster.ts';
import { REDIS_IMAGE } from '../lab/redis-image.ts';
import { type Fleet, INTERVAL } from './fleet.ts';
import { NAMESPACE } from './names.ts';
import { added, objectsOf } from './state.ts';

export const SERVER = 'meshrelay-mgmt-server';
export const AGENT = 'meshrelay-agent';
export const REDIS = 'meshrelay-redis';

const RELAY_PORT = 9900;
const CRDS = join(ROOT, 'packages/api/crds');
const WAIT = ['--wait', '--timeout=290s'];
/** The earlier charts have the same images: the annotation makes the pods restart. */
const UPGRADED = setting('podAnnotations.upgraded=yes', 'networkPolicy.enabled=true');
/** Helm keeps CRDs, and the namespace with what server and agents created there: docs/operations/remove.md. */
export const EXPECTED_AFTER_HELM =
  /^customresourcedefinitions\.|^apiservices\.\S* \/\S*\.meshrelay\.dev$|^namespaces\. \/meshrelay$|^\S+ meshrelay\//;
/** What a cluster has in each namespace stays as long as the namespace, which the story created. */
export const NAMESPACE_ALONE =
  /^namespaces\. \/meshrelay$|^configmaps\. meshrelay\/kube-root-ca\.crt$|^serviceaccounts\. meshrelay\/default$/;
const RESTRICTED_NAMESPACE = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: NAMESPACE, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
};

/** Two replicas, which share a Redis. @returns the address of its load balancer */
export async function installServer(fleet: Fleet, charts: string): Promise<string> {
  const { management } = fleet;
  await fleet.apply(management, [RESTRICTED_NAMESPACE]);
  const sets = setting('replicas=2', 'redis.enabled=true', `redis.image=${REDIS_IMAGE}`);
  await fleet.helm(management, 'install', 'meshrelay', join(charts, 'meshrelay'), ...sets, ...WAIT);
  const { body } = await management.client.get(`/api/v1/namespaces/${NAMESPACE}/services/${SERVER}`);
  return body.status.loadBalancer.ingress[0].ip;
}

/** It is not ready before its cluster is registered. @param server the address of its load balancer */
export async function installAgent(fleet: Fleet, cluster: RealCluster, charts: string, server: string): Promise<void> {
  await fleet.apply(cluster, [RESTRICTED_NAMESPACE]);
  const relay = [`config.relay.cluster=${cluster.name}`, `config.relay.serverAddress=${server}:${RELAY_PORT}`];
  await fleet.helm(cluster, 'install', AGENT, join(charts, AGENT), ...setting('replicas=2', ...relay));
}

/** It installs the agent, if it finds none. */
export async function register(fleet: Fleet, { name }: RealCluster, ...options: readonly string[]): Promise<void> {
  const contexts = ['--mgmt-context', fleet.management.name, '--context', name];
  await fleet.meshctl('cluster', 'register', name, ...contexts, ...options);
}

export async function deregister(fleet: Fleet, { name }: RealCluster): Promise<void> {
  await fleet.meshctl('cluster', 'deregister', name, '--mgmt-context', fleet.management.name, '--yes');
}

/** By Helm, to the charts of the checkout, with NetworkPolicies. */
export async function upgrade(fleet: Fleet, cluster: RealCluster, name: 'meshrelay' | typeof AGENT): Promise<void> {
  await fleet.helm(cluster, 'upgrade', name, chartFolder(name), '--reset-then-reuse-values', ...UPGRADED, ...WAIT);
}

/** By meshctl, to the charts in it. */
export async function upgradeByMeshctl(fleet: Fleet, { name }: RealCluster): Promise<void> {
  await fleet.meshctl('upgrade', 'agent', '--context', name, ...UPGRADED, '--wait');
}

/** Once more, where the CRDs and the namespace of the former server are: one replica, which upgrades to NetworkPolicies. */
export async function installServerByMeshctl(fleet: Fleet): Promise<void> {
  const server = ['--context', fleet.management.name, '--wait'];
  await fleet.meshctl('install', ...server);
  await fleet.meshctl('upgrade', ...server, ...UPGRADED);
}

/** Server or agent with its CRDs, Secrets and Leases. */
export async function uninstallByMeshctl(fleet: Fleet, { name }: RealCluster, ...of: readonly string[]): Promise<void> {
  await fleet.meshctl('uninstall', ...of, '--context', name, '--purge', '--yes');
}

/** What Helm keeps. */
export async function deleteCrds(cluster: RealCluster): Promise<void> {
  await cluster.kubectl('delete', '-f', CRDS);
}

/** One that the user created. */
export async function deleteNamespace(cluster: RealCluster): Promise<void> {
  await cluster.kubectl('delete', 'namespace', NAMESPACE);
}

/** Waits until a cluster has no objects but the former ones and expected ones. */
export async function nothingLeft(cluster: RealCluster, before: ReadonlySet<string>, expected?: RegExp): Promise<void> {
  let left: readonly string[] = [];
  await eventually(
    `nothing is left in ${cluster.name}`,
    async () => {
      left = added(before, await objectsOf(cluster.client)).filter((key) => expected?.test(key) !== true);
      return left.length === 0;
    },
    { deadline: 60_000, every: INTERVAL, seen: () => left },
  );
}

function setting(...values: readonly string[]): readonly string[] {
  return values.flatMap((value) => ['--set', value]);
}
