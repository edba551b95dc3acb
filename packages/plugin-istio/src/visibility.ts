/** Who sees an object that says nothing by `exportTo`: everybody, but for meshes whose configuration says otherwise. */
import type { MeshFacts, NativeObject, Output } from '@meshrelay/relay-core';
import { fieldsOf, specOf, textsOf } from './rivalry/spec.ts';

type Configured = Pick<MeshFacts, 'details'>;

/** As `exportTo` would say it; empty: everybody. */
export function defaultExportTo({ details }: Configured, kind: string): readonly string[] {
  return textsOf(fieldsOf(details['defaultExportTo'])[kind]);
}

/** An output whose objects are for everybody to see, unless they say otherwise: what hides the user's own by default must not hide ours from callers. */
export function seenByAll(out: Output, mesh: Configured): Output {
  if (details(mesh) === undefined) return out;
  return { ...out, emit: (cluster, object, because) => out.emit(cluster, forAll(object, mesh), because) };
}

function details(mesh: Configured): unknown {
  return mesh.details['defaultExportTo'];
}

function forAll(object: NativeObject, mesh: Configured): NativeObject {
  const spec = specOf(object);
  if (defaultExportTo(mesh, object.kind).length === 0 || spec['exportTo'] !== undefined) return object;
  return { ...object, spec: { ...spec, exportTo: ['*'] } };
}
