/** The objects that a chart renders, and the permissions to write them. */
import type { RbacRule } from '@meshrelay/relay-core';
import { parseAllDocuments } from 'yaml';
import type { ReviewedRights } from '../online/missing-rights.ts';

export interface RenderedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly RbacRule[];
}

/** Helm reads an object before it creates or changes it. */
const WRITE = ['get', 'create', 'patch'];
/** Helm's records of a release. */
const RECORDS: RbacRule = { apiGroups: [''], resources: ['secrets'], verbs: ['list', 'create', 'update', 'delete'] };

export function objectsIn(manifest: string): readonly RenderedObject[] {
  return parseAllDocuments(manifest)
    .map((document) => document.toJS() as RenderedObject | null)
    .filter((object) => object !== null);
}

/**
 * Permissions to write these objects. A user may not create a role with a permission that the user lacks, so the rules
 * of roles belong to them.
 */
export function rightsToWrite(objects: readonly RenderedObject[], namespace: string): ReviewedRights {
  const cluster = objects.filter(({ metadata }) => metadata.namespace === undefined);
  const others = Map.groupBy(
    objects.filter(({ metadata }) => metadata.namespace !== undefined && metadata.namespace !== namespace),
    ({ metadata }) => metadata.namespace ?? '',
  );
  return {
    cluster: rulesFor(cluster),
    namespace: [RECORDS, ...rulesFor(objects.filter(({ metadata }) => metadata.namespace === namespace))],
    otherClusters: [...others].map(([name, found]) => ({ namespace: name, rules: rulesFor(found) })),
  };
}

function rulesFor(objects: readonly RenderedObject[]): readonly RbacRule[] {
  const kinds = new Set(objects.map(({ apiVersion, kind }) => `${groupOf(apiVersion)}/${pluralOf(kind)}`));
  const written = [...kinds].map((kind): RbacRule => {
    const [group = '', resource = ''] = kind.split('/');
    return { apiGroups: [group], resources: [resource], verbs: WRITE };
  });
  return [...written, ...objects.flatMap(({ rules = [] }) => rules.filter((rule) => rule.resources !== undefined))];
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}

/** As Kubernetes names the resources of the kinds that the charts have. */
function pluralOf(kind: string): string {
  const name = kind.toLowerCase();
  return name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`;
}
