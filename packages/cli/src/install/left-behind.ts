/** What an uninstallation leaves in a cluster, with the commands that delete it. */
import type { KubeObject } from '@meshrelay/api';
import { mapConcurrent } from '@meshrelay/concurrency';
import { isKubeError, type KubeConnection } from '@meshrelay/kube';
import { ISSUED_FOR_LABEL, OWNER_LABEL, type ResourceKind } from '@meshrelay/relay-core';
import { counted } from '../output/counted.ts';
import { shellLine } from '../output/shell-line.ts';
import type { Component } from './chart.ts';

export interface LeftBehindPlan {
  readonly connection: KubeConnection;
  readonly component: Component;
  /** Options by which kubectl reaches the cluster. */
  readonly clusterOptions: readonly string[];
  /** Names of CRDs that are deleted: the API server may still list their kinds for a moment. */
  readonly deletedCrds: readonly string[];
  /** A namespace that is deleted with everything in it. */
  readonly deletedNamespace?: string;
}

interface Found {
  readonly kind: ResourceKind;
  readonly object: KubeObject;
}

/** Number of concurrent lists. */
const AT_ONCE = 16;
/** Groups whose objects have the name of the program that they are for. */
const NAMED_GROUPS: ReadonlySet<string> = new Set(['rbac.authorization.k8s.io', 'admissionregistration.k8s.io']);
const NAMES: Readonly<Record<Component, RegExp>> = {
  server: /^meshrelay-mgmt-server(-|$)/,
  agent: /^meshrelay-(agent|direct|fence)(-|$)/,
};
/** Discovered objects: they are deleted with their CRDs. */
const DISCOVERED_GROUP = 'discovery.meshrelay.dev';

/**
 * Searches all kinds that the API server serves, so that it works with any mesh and with none.
 * @returns lines without line ends; empty if nothing is left
 * @throws KubeError
 */
export async function leftBehind(plan: LeftBehindPlan): Promise<readonly string[]> {
  const { connection, component } = plan;
  const kinds = (await servedKinds(connection)).filter((kind) => !plan.deletedCrds.includes(resourceName(kind)));
  const unreadable = new Set<string>();
  const listed = async (of: readonly ResourceKind[], labelSelector?: string): Promise<readonly Found[]> => {
    const found = await listAll(connection, of, labelSelector, unreadable);
    return found.filter(({ object }) => object.metadata.namespace !== (plan.deletedNamespace ?? ''));
  };
  const named = (await listed(kinds.filter(({ group }) => NAMED_GROUPS.has(group)))).filter(({ object }) =>
    NAMES[component].test(object.metadata.name),
  );
  const lines = [...namedLines(named, plan)];
  if (component === 'agent') {
    const issued = await listed(kinds.filter(isSecret), ISSUED_FOR_LABEL);
    const generated = kinds.filter(({ group }) => group !== DISCOVERED_GROUP);
    const owned = (await listed(generated, OWNER_LABEL)).filter(
      ({ object }) => object.metadata.labels?.[ISSUED_FOR_LABEL] === undefined,
    );
    lines.unshift(...generatedLines(owned, plan), ...issuedLines(issued, plan));
  }
  if (unreadable.size > 0)
    lines.push(`  not known, because the API server does not list them: ${[...unreadable].sort().join(', ')}`);
  return lines;
}

function isSecret({ group, plural }: ResourceKind): boolean {
  return group === '' && plural === 'secrets';
}

function generatedLines(owned: readonly Found[], { clusterOptions }: LeftBehindPlan): readonly string[] {
  const byOwner = Map.groupBy(owned, ({ object }) => object.metadata.labels?.[OWNER_LABEL] ?? '');
  return [...byOwner].flatMap(([owner, found]) => {
    const kinds = [...new Set(found.map(({ kind }) => resourceName(kind)))].sort().join(',');
    return [
      `  ${counted(found.length, 'generated object')}, which no controller manages any more:`,
      `    ${shellLine(['kubectl', ...clusterOptions, 'delete', kinds, '-A', '-l', `${OWNER_LABEL}=${owner}`])}`,
    ];
  });
}

function issuedLines(issued: readonly Found[], { clusterOptions }: LeftBehindPlan): readonly string[] {
  if (issued.length === 0) return [];
  const names = issued.map(({ object: { metadata } }) => `${metadata.namespace}/${metadata.name}`).join(', ');
  return [
    `  CAs of meshes, in Secrets ${names}: workloads use certificates under them, so give each mesh another CA first; then:`,
    `    ${shellLine(['kubectl', ...clusterOptions, 'delete', 'secret', '-A', '-l', ISSUED_FOR_LABEL])}`,
  ];
}

function namedLines(named: readonly Found[], { clusterOptions }: LeftBehindPlan): readonly string[] {
  const byNamespace = Map.groupBy(named, ({ object }) => object.metadata.namespace ?? '');
  return [...byNamespace].flatMap(([namespace, found]) => {
    const where = namespace === '' ? [] : ['-n', namespace];
    const names = found.map(({ kind, object }) => `${kind.plural}/${object.metadata.name}`);
    return [
      `  permissions and admission policies${namespace === '' ? '' : ` in namespace ${namespace}`} that no release has:`,
      `    ${shellLine(['kubectl', ...clusterOptions, ...where, 'delete', ...names])}`,
    ];
  });
}

function resourceName({ plural, group }: ResourceKind): string {
  return group === '' ? plural : `${plural}.${group}`;
}

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

interface GroupList {
  readonly groups: readonly {
    readonly name: string;
    readonly preferredVersion: { readonly version: string };
  }[];
}

/** The kinds that can be listed and deleted, each in the version that its API server prefers. */
async function servedKinds(connection: KubeConnection): Promise<readonly ResourceKind[]> {
  const { groups } = await connection.request<GroupList>({ what: 'list API groups', method: 'GET', path: '/apis' });
  const preferred = [
    { group: '', version: 'v1', path: '/api/v1' },
    ...groups.map(({ name, preferredVersion: { version } }) => ({
      group: name,
      version,
      path: `/apis/${name}/${version}`,
    })),
  ];
  const kinds = await Promise.all(
    preferred.map(async ({ group, version, path }) => {
      const resources = await resourcesAt(connection, path);
      return resources
        .filter(({ name, verbs }) => !name.includes('/') && verbs.includes('list') && verbs.includes('delete'))
        .map(({ name, kind, namespaced }): ResourceKind => ({ group, version, kind, plural: name, namespaced }));
    }),
  );
  return kinds.flat();
}

/** Empty for a group whose last CRD is deleted at this moment, or whose own API server does not answer. */
async function resourcesAt(connection: KubeConnection, path: string): Promise<readonly Resource[]> {
  try {
    const what = `list resources of ${path}`;
    return (await connection.request<{ readonly resources: readonly Resource[] }>({ what, method: 'GET', path }))
      .resources;
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return isKubeError(error, 'RELAY_E_KUBE_NOT_FOUND') || isKubeError(error, 'RELAY_E_KUBE_UNAVAILABLE');
}

async function listAll(
  connection: KubeConnection,
  kinds: readonly ResourceKind[],
  labelSelector: string | undefined,
  unreadable: Set<string>,
): Promise<readonly Found[]> {
  const lists = await mapConcurrent(kinds, AT_ONCE, async (kind) => {
    const objects = await listOf(connection, kind, labelSelector, unreadable);
    return objects.map((object): Found => ({ kind, object }));
  });
  return lists.flat();
}

async function listOf(
  connection: KubeConnection,
  kind: ResourceKind,
  labelSelector: string | undefined,
  unreadable: Set<string>,
): Promise<readonly KubeObject[]> {
  try {
    return await connection.objects(kind).list(labelSelector === undefined ? {} : { labelSelector });
  } catch (error) {
    if (!isGone(error) && !isKubeError(error, 'RELAY_E_KUBE_FORBIDDEN')) throw error;
    if (!isKubeError(error, 'RELAY_E_KUBE_NOT_FOUND')) unreadable.add(resourceName(kind));
    return [];
  }
}
