/** Pod templates of controllers, so that a workload without a pod is still known. */
import type { KubeObject } from '@meshrelay/api';
import {
  type Collection,
  type DiscoveredMember,
  type Group,
  type Key,
  key,
  type Pod,
  type PodController,
  type PodTemplate,
  type StatefulSet,
} from '@meshrelay/plugin';
import type { Graph } from '../graph/collection.ts';
import { fitted } from '../input/shape.ts';
import { shapeOf } from '../input/shapes.ts';
import { lastingLabels, type PodFacts } from './pods.ts';
import type { Ordinals } from './rollout-labels.ts';

/** The key of a controller: two kinds may share a name. */
export function controllerKey({ namespace, kind, name }: PodFacts['controller']): Key {
  return key(namespace, kind, name);
}

/** The templates of controllers of these kinds, under {@link controllerKey}. */
export function podTemplates(
  graph: Graph,
  controllers: ReadonlyArray<Collection<KubeObject>>,
): Collection<PodTemplate> {
  const templates = controllers.map((collection) =>
    graph.deriveMany(`discover/templates of ${collection.name}`, collection as Collection<PodController>, (object) => {
      const template = templateOf(object);
      return template === undefined ? [] : [[controllerKey(template.controller), template] as const];
    }),
  );
  return graph.join('discover/templates', templates);
}

/** Undefined if the template is missing or cannot be parsed: plugins may rely on its shape. */
function templateOf({ apiVersion, kind, metadata, spec }: PodController): PodTemplate | undefined {
  const template: unknown = spec?.template;
  if (typeof template !== 'object' || template === null) return undefined;
  const { name, namespace = '' } = metadata;
  const { metadata: own, spec: podSpec } = template as { readonly metadata?: object; readonly spec?: unknown };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { ...own, name, namespace }, spec: podSpec };
  const readable = fitted(pod, POD_SHAPE) as Pod | undefined;
  return readable === undefined ? undefined : { controller: { apiVersion, kind, namespace, name }, pod: readable };
}

/** The ordinals of each StatefulSet's pods, under {@link controllerKey}. */
export function statefulSetOrdinals(graph: Graph, statefulSets: Collection<KubeObject>): Collection<Ordinals> {
  return graph.deriveMany(
    'discover/ordinals',
    statefulSets as Collection<StatefulSet>,
    ({ kind, metadata: { name, namespace = '' }, spec }) => {
      const { replicas = 1, ordinals: { start = 0 } = {} } = spec ?? {};
      return [
        [
          controllerKey({ apiVersion: 'apps/v1', kind, namespace, name }),
          { name, from: start, count: replicas },
        ] as const,
      ];
    },
  );
}

const POD_SHAPE = shapeOf('', 'Pod');

/**
 * A stand-in for the pods of each controller without pods: its template, if a mesh's injector would add a data plane to
 * it. Without it, a workload that is scaled to zero would leave its mesh. Its access rules would be deleted until its
 * first pod is back.
 */
export function idleWorkloads(
  graph: Graph,
  templates: Collection<PodTemplate>,
  members: Collection<DiscoveredMember>,
  byController: Collection<Group<PodFacts>>,
): Collection<PodFacts> {
  return graph.derive('discover/idle-workloads', members, (member, read, controller): PodFacts | undefined => {
    const template = read.get(templates, controller);
    if (template === undefined || read.has(byController, controller)) return undefined;
    const { metadata, spec } = template.pod;
    return {
      name: metadata.name,
      namespace: metadata.namespace ?? '',
      labels: lastingLabels(metadata.labels, member.ownLabels),
      rolloutLabels: {},
      serviceAccount: spec?.serviceAccountName ?? 'default',
      controller: template.controller,
      mesh: member.mesh,
    };
  });
}
