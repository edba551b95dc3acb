/**
 * The effect of users' own objects on settings of a whole mesh: reported to its virtual mesh, since Meshrelay never
 * changes them.
 */

import { shortList } from '@meshrelay/api';
import type { KubeObject, MeshView, Output, PresentView } from '@meshrelay/plugin';
import { AUTHORIZATION_POLICY, PEER_AUTHENTICATION, SIDECAR } from '../kinds.ts';
import { type Fields, fieldsOf, listOf, specOf, textsOf } from '../object-conflicts/spec.ts';
import { modeOf, PeerAuthentications, selectsPods } from '../peer-authentications.ts';
import { rootNamespace } from '../root-namespace.ts';

/** Users' objects that apply to more than some pods of one namespace, or override such objects. */
export function concernsMesh(object: KubeObject): boolean {
  switch (object.kind) {
    case SIDECAR.kind:
    case PEER_AUTHENTICATION.kind:
      return true;
    case AUTHORIZATION_POLICY.kind: {
      const spec = specOf(object);
      return !selectsPods(spec) && spec['targetRefs'] === undefined && spec['targetRef'] === undefined;
    }
    default:
      return false;
  }
}

export function usersObjects(view: MeshView, out: Output): void {
  if (view.strictMtls) weakened(view, out);
  if (view.globalAccess !== 'MESH_DEFAULT') decidedAbove(view, view.globalAccess, out);
  if (view.importsAnything) hidden(view, out);
}

/**
 * Objects for namespaces and pods, which override the mesh's. Those for the whole mesh conflict with the generated one.
 */
function weakened(view: MeshView, out: Output): void {
  const root = rootNamespace(view.mesh);
  const all = new PeerAuthentications(view.present, view.mesh, view.virtualMesh);
  const weaker = view.present.filter(
    (one) => all.isEffective(one) && one.namespace !== root && takesPlaintext(one.spec),
  );
  report(view, out, weaker, {
    code: 'MTLS_WEAKENED',
    field: 'spec.mtlsConfig.strict',
    text: 'overrides the setting of the mesh and accepts callers without mutual TLS; delete it, or set its mode to STRICT',
  });
}

function takesPlaintext(spec: Fields): boolean {
  const ports = selectsPods(spec) ? Object.values(fieldsOf(spec['portLevelMtls'])) : [];
  return [spec, ...ports.map((mtls) => ({ mtls }))].map(modeOf).some((mode) => mode !== undefined && mode !== 'STRICT');
}

/** Users' policies for the whole mesh, with or without a generated one. */
function decidedAbove(view: MeshView, mode: 'ENABLED' | 'DISABLED', out: Output): void {
  const root = rootNamespace(view.mesh);
  const whole = view.present.filter(({ kind, namespace }) => kind === AUTHORIZATION_POLICY.kind && namespace === root);
  const field = 'spec.globalAccessPolicy';
  if (mode === 'ENABLED') {
    report(view, out, whole.filter(allowsEveryone), {
      code: 'ACCESS_OPENED',
      field,
      text: 'allows every request despite access policies; delete it',
    });
    return;
  }
  report(view, out, whole.filter(refusesSome), {
    code: 'ACCESS_CLOSED',
    field,
    text: 'denies requests in the whole mesh, although the virtual mesh allows all; delete it',
  });
}

function allowsEveryone({ spec }: PresentView): boolean {
  return actionOf(spec) === 'ALLOW' && listOf(spec['rules']).some(isForAll);
}

/** An ALLOW rejects requests that match none of its rules. */
function refusesSome({ spec }: PresentView): boolean {
  const forAll = listOf(spec['rules']).some(isForAll);
  return actionOf(spec) === 'ALLOW' ? !forAll : actionOf(spec) === 'DENY' && forAll;
}

function actionOf({ action }: Fields): string {
  return typeof action === 'string' ? action : 'ALLOW';
}

function isForAll(rule: Fields): boolean {
  return Object.keys(rule).length === 0;
}

/** Sidecars that limit their proxies to some namespaces, without the namespace of the names of other clusters. */
function hidden(view: MeshView, out: Output): void {
  const root = rootNamespace(view.mesh);
  const blind = view.present.filter(({ kind, namespace, spec }) => {
    const egress = kind === SIDECAR.kind ? listOf(spec['egress']) : [];
    const seen = egress.flatMap(({ hosts }) => textsOf(hosts)).map((host) => host.split('/')[0]);
    return egress.length > 0 && !seen.some((one) => one === '*' || one === root || (one === '.' && namespace === root));
  });
  report(view, out, blind, {
    code: 'SERVICES_HIDDEN',
    field: 'spec.federation',
    text: `hides namespace ${root}, which defines the names of other clusters, from its proxies; add "${root}/*" to the hosts of its egress`,
  });
}

/** Maximum number of objects in one report. */
const MAX_NAMED = 5;

function report(
  { mesh: { cluster }, virtualMesh }: MeshView,
  out: Output,
  objects: readonly PresentView[],
  { code, field, text }: { readonly code: string; readonly field: string; readonly text: string },
): void {
  const [first] = objects;
  if (first === undefined) return;
  const names = objects.map(({ namespace, name }) => `${namespace}/${name}`);
  const each = objects.length > 1 ? 'each ' : '';
  out.report(virtualMesh, {
    code,
    severity: 'warning',
    field,
    message: `${first.kind} ${shortList(names, MAX_NAMED)} of cluster ${cluster} ${each}${text}`,
    related: objects.slice(0, MAX_NAMED).map(({ kind, namespace, name }) => ({ kind, namespace, name, cluster })),
  });
}
