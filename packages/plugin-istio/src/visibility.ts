/** Who sees an object that says nothing by `exportTo`: everybody, but for meshes whose configuration, and Services whose annotation, says otherwise. */
import type { DestinationFacts, MeshFacts, NativeObject, Output } from '@meshrelay/relay-core';
import { SERVICE_ENTRY } from './kinds.ts';
import { fieldsOf, specOf, textsOf } from './object-conflicts/spec.ts';

/** What discovery tells of a Service. */
export type ServiceDetails = {
  /** As {@link seenIn} gives it. */
  readonly exportTo: readonly string[];
};

const EVERYBODY: readonly string[] = ['*'];

/** A namespace has such a name; what else a list may hold, nobody's is. */
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * What a list by which Istio exports services comes to, in the words of `exportTo` and in order: `*` alone, where everybody sees it; `.` for its
 * own namespace; nothing, where nobody sees it.
 */
export function seenIn(exportTo: readonly string[], namespace: string): readonly string[] {
  if (exportTo.includes('*')) return EVERYBODY;
  if (exportTo.includes('~')) return [];
  const names = exportTo
    .map((name) => (name === namespace ? '.' : name))
    .filter((name) => name === '.' || NAMESPACE.test(name));
  return [...new Set(names)].sort();
}

/** Those who see a Service, as {@link seenIn} gives them. */
export function whoSees({
  details,
  namespace,
  mesh,
}: Pick<DestinationFacts, 'details' | 'namespace' | 'mesh'>): readonly string[] {
  const own = details?.['exportTo'];
  if (Array.isArray(own)) return textsOf(own);
  const byDefault = defaultExportTo(mesh, SERVICE_ENTRY.kind);
  return byDefault.length === 0 ? EVERYBODY : seenIn(byDefault, namespace);
}

/** The namespaces whose callers see a Service, in order; undefined: all. */
export function namespacesSeeing(
  service: Pick<DestinationFacts, 'details' | 'namespace' | 'mesh'>,
): readonly string[] | undefined {
  const seen = whoSees(service);
  if (seen.includes('*')) return undefined;
  return seen.map((name) => (name === '.' ? service.namespace : name)).sort();
}

/** By the mesh's configuration, for a kind; empty where everybody sees such objects. */
export function defaultExportTo({ details }: Pick<MeshFacts, 'details'>, kind: string): readonly string[] {
  return textsOf(fieldsOf(details['defaultExportTo'])[kind]);
}

/** An output whose objects are for everybody to see, unless they say otherwise: what hides the user's own by default must not hide ours from callers. */
export function seenByAll(out: Output, mesh: MeshFacts): Output {
  return seenBy(EVERYBODY, out, mesh);
}

/**
 * An output whose objects are seen by those alone who see the Service. Routes of a Service that a caller does not know lead nowhere, where its
 * requests would pass through without them.
 */
export function seenLikeService(out: Output, destination: DestinationFacts): Output {
  return seenBy(whoSees(destination), out, destination.mesh);
}

function seenBy(whom: readonly string[], out: Output, mesh: MeshFacts): Output {
  if (whom === EVERYBODY && mesh.details['defaultExportTo'] === undefined) return out;
  return {
    ...out,
    emit: (cluster, object, sourcePolicies) => out.emit(cluster, exportedTo(whom, object, mesh), sourcePolicies),
  };
}

function exportedTo(whom: readonly string[], object: NativeObject, mesh: MeshFacts): NativeObject {
  const spec = specOf(object);
  const byDefault = defaultExportTo(mesh, object.kind);
  const unsaid = byDefault.length === 0 ? EVERYBODY : byDefault;
  if (spec['exportTo'] !== undefined || unsaid.join(' ') === whom.join(' ')) return object;
  return { ...object, spec: { ...spec, exportTo: [...whom] } };
}
