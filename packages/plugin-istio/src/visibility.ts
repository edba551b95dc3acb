/**
 * Where an object without `exportTo` is visible: in all namespaces, unless the mesh configuration or the Service's
 * annotation limits it.
 */
import type { DestinationFacts, MeshFacts, NativeObject, Output } from '@meshrelay/plugin';
import { SERVICE_ENTRY } from './kinds.ts';
import { fieldsOf, specOf, textsOf } from './object-conflicts/spec.ts';

/** Details of a Service from discovery. */
export type ServiceDetails = {
  /** In the format of {@link seenIn}. */
  readonly exportTo: readonly string[];
};

const ALL_NAMESPACES: readonly string[] = ['*'];

/** Format of a namespace name; a list entry of another format matches no namespace. */
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * Normalizes a list of namespaces to which Istio exports a Service, in the format of `exportTo`, sorted: `*` alone for
 * all namespaces, `.` for its own, empty for none.
 */
export function seenIn(exportTo: readonly string[], namespace: string): readonly string[] {
  if (exportTo.includes('*')) return ALL_NAMESPACES;
  if (exportTo.includes('~')) return [];
  const names = exportTo
    .map((name) => (name === namespace ? '.' : name))
    .filter((name) => name === '.' || NAMESPACE.test(name));
  return [...new Set(names)].sort();
}

/** The namespaces that see a Service, in the format of {@link seenIn}. */
export function whoSees({
  details,
  namespace,
  mesh,
}: Pick<DestinationFacts, 'details' | 'namespace' | 'mesh'>): readonly string[] {
  const own = details?.['exportTo'];
  if (Array.isArray(own)) return textsOf(own);
  const byDefault = defaultExportTo(mesh, SERVICE_ENTRY.kind);
  return byDefault.length === 0 ? ALL_NAMESPACES : seenIn(byDefault, namespace);
}

/** The namespaces whose callers see a Service, sorted; undefined: all. */
export function namespacesSeeing(
  service: Pick<DestinationFacts, 'details' | 'namespace' | 'mesh'>,
): readonly string[] | undefined {
  const seen = whoSees(service);
  if (seen.includes('*')) return undefined;
  return seen.map((name) => (name === '.' ? service.namespace : name)).sort();
}

/** The mesh configuration's default for a kind; empty if all namespaces see such objects. */
export function defaultExportTo({ details }: Pick<MeshFacts, 'details'>, kind: string): readonly string[] {
  return textsOf(fieldsOf(details['defaultExportTo'])[kind]);
}

/**
 * An output whose objects are visible in all namespaces unless they set `exportTo`: a default that hides users' objects
 * must not hide generated ones from callers.
 */
export function seenByAll(out: Output, mesh: MeshFacts): Output {
  return seenBy(ALL_NAMESPACES, out, mesh);
}

/**
 * An output whose objects are visible only where the Service is. Routes to a Service that a caller does not see have no
 * cluster; without them its requests pass through.
 */
export function seenLikeService(out: Output, destination: DestinationFacts): Output {
  return seenBy(whoSees(destination), out, destination.mesh);
}

function seenBy(whom: readonly string[], out: Output, mesh: MeshFacts): Output {
  if (whom === ALL_NAMESPACES && mesh.details['defaultExportTo'] === undefined) return out;
  return {
    ...out,
    emit: (cluster, object, sourcePolicies) => out.emit(cluster, exportedTo(whom, object, mesh), sourcePolicies),
  };
}

function exportedTo(whom: readonly string[], object: NativeObject, mesh: MeshFacts): NativeObject {
  const spec = specOf(object);
  const byDefault = defaultExportTo(mesh, object.kind);
  const byOmission = byDefault.length === 0 ? ALL_NAMESPACES : byDefault;
  if (spec['exportTo'] !== undefined || byOmission.join(' ') === whom.join(' ')) return object;
  return { ...object, spec: { ...spec, exportTo: [...whom] } };
}
