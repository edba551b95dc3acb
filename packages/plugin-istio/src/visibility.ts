/** Who sees an object that says nothing by `exportTo`: everybody, but for meshes whose configuration says otherwise. */
import type { MeshFacts, NativeObject, Output } from '@meshrelay/relay-core';
import { SERVICE_ENTRY } from './kinds.ts';
import { fieldsOf, specOf, textsOf } from './rivalry/spec.ts';

type Configured = Pick<MeshFacts, 'details'>;

/** As `exportTo` would say it; empty: everybody. */
export function defaultExportTo({ details }: Configured, kind: string): readonly string[] {
  return textsOf(fieldsOf(details['defaultExportTo'])[kind]);
}

/** An output whose objects are for everybody to see, unless they say otherwise: what hides the user's own by default must not hide ours from callers. */
export function seenByAll(out: Output, mesh: Configured): Output {
  return seenBy(EVERYBODY, out, mesh);
}

/**
 * An output whose objects are seen by those who see Services, unless they say otherwise. Routes of a Service that a caller does not know lead
 * nowhere, where its requests would pass through without them.
 */
export function seenLikeServices(out: Output, mesh: Configured): Output {
  const byDefault = defaultExportTo(mesh, SERVICE_ENTRY.kind);
  return seenBy(byDefault.length === 0 ? EVERYBODY : byDefault, out, mesh);
}

const EVERYBODY: readonly string[] = ['*'];

function seenBy(whom: readonly string[], out: Output, mesh: Configured): Output {
  if (mesh.details['defaultExportTo'] === undefined) return out;
  return { ...out, emit: (cluster, object, because) => out.emit(cluster, exportedTo(whom, object, mesh), because) };
}

function exportedTo(whom: readonly string[], object: NativeObject, mesh: Configured): NativeObject {
  const spec = specOf(object);
  const byDefault = defaultExportTo(mesh, object.kind);
  const unsaid = byDefault.length === 0 ? EVERYBODY : byDefault;
  if (spec['exportTo'] !== undefined || unsaid.join(' ') === whom.join(' ')) return object;
  return { ...object, spec: { ...spec, exportTo: [...whom] } };
}
