/**
 * Which connections pods accept: the effect of all PeerAuthentications that apply to them. One without a selector
 * applies to its namespace or, in the root namespace, to the mesh. One with a selector applies to pods of its
 * namespace, and has no effect in the root namespace. Of several with one scope, Istio uses the oldest. A field that
 * one leaves unset comes from the next wider scope; Istio's default is PERMISSIVE.
 */
import type { MeshFacts, NativeObject, PolicyRef, PresentView } from '@meshrelay/plugin';
import { istioObject, PEER_AUTHENTICATION } from './kinds.ts';
import { meshName } from './names.ts';
import { type Fields, fieldsOf, selectedLabels, within } from './object-conflicts/spec.ts';
import { rootNamespace } from './root-namespace.ts';

export type PeerMode = 'DISABLE' | 'PERMISSIVE' | 'STRICT';

/** The object that determines a mode: a user's, or the generated one of a virtual mesh. */
export interface DecidingObject {
  readonly namespace: string;
  readonly name: string;
  /** The labels of the pods that it applies to; empty: all. */
  readonly selector: Readonly<Record<string, string>>;
  /** The virtual mesh of the generated object; undefined: the object is the user's. */
  readonly virtualMesh?: PolicyRef;
}

/** A mode and the object that determines it; without an object, Istio's default applies. */
export type EffectiveMode =
  | { readonly mode: RefusingMode; readonly by: DecidingObject }
  | { readonly mode: 'PERMISSIVE'; readonly by?: DecidingObject };

/** Modes that reject some callers. */
export type RefusingMode = Exclude<PeerMode, 'PERMISSIVE'>;

/** The name of the generated object, in the root namespace. */
const STRICT_NAME = meshName('strict-mtls');

/** The generated object that requires mutual TLS in the whole mesh. */
export function strictPeerAuthentication(mesh: MeshFacts): NativeObject {
  return istioObject(PEER_AUTHENTICATION, rootNamespace(mesh), STRICT_NAME, { mtls: { mode: 'STRICT' } });
}

/** The object's mode for all ports; undefined if it inherits the mode. */
export function modeOf(spec: Fields): PeerMode | undefined {
  const { mode } = fieldsOf(spec['mtls']);
  return MODES.find((one) => one === mode);
}

const MODES: readonly PeerMode[] = ['DISABLE', 'PERMISSIVE', 'STRICT'];

/** Whether it applies to some pods of its namespace only. */
export function selectsPods(spec: Fields): boolean {
  return Object.keys(selectedLabels(spec)).length > 0;
}

/** The PeerAuthentications of a mesh that this server has observed. */
export class PeerAuthentications {
  readonly #root: string;
  /** The users' effective objects, the oldest first. */
  readonly #effective: readonly PresentView[];
  readonly #strict: PolicyRef | undefined;

  /**
   * @param present users' objects of any kind
   * @param strict the virtual mesh that requires mutual TLS in the whole mesh, if any; a user's object for the whole
   * mesh replaces the generated one
   */
  constructor(present: readonly PresentView[], mesh: MeshFacts, strict: PolicyRef | undefined) {
    this.#root = rootNamespace(mesh);
    this.#strict = strict;
    const all = present.filter(({ kind }) => kind === PEER_AUTHENTICATION.kind).toSorted(compareAge);
    this.#effective = all.filter((one) =>
      selectsPods(one.spec)
        ? one.namespace !== this.#root
        : one === all.find(({ namespace, spec }) => namespace === one.namespace && !selectsPods(spec)),
    );
  }

  /** Whether Istio uses a user's object: an older one may override it, or its namespace may make it ineffective. */
  isEffective(object: PresentView): boolean {
    return this.#effective.includes(object);
  }

  ofMesh(): EffectiveMode {
    const users = this.#wide(this.#root);
    if (users !== undefined) return decided(users, BY_DEFAULT);
    if (this.#strict === undefined) return BY_DEFAULT;
    return {
      mode: 'STRICT',
      by: { namespace: this.#root, name: STRICT_NAME, selector: {}, virtualMesh: this.#strict },
    };
  }

  /** @param port container port; undefined if unknown */
  ofPort(namespace: string, podLabels: Readonly<Record<string, string>>, port: number | undefined): EffectiveMode {
    const ofPods = this.#effective.find(
      ({ namespace: its, spec }) => its === namespace && selectsPods(spec) && within(podLabels, selectedLabels(spec)),
    );
    const ofNamespace = this.#ofNamespace(namespace);
    if (ofPods === undefined) return ofNamespace;
    const forAll = decided(ofPods, ofNamespace);
    const mode = modeOf({ mtls: fieldsOf(ofPods.spec['portLevelMtls'])[String(port)] });
    return mode === undefined ? forAll : { mode, by: deciding(ofPods) };
  }

  #ofNamespace(namespace: string): EffectiveMode {
    const users = namespace === this.#root ? undefined : this.#wide(namespace);
    return users === undefined ? this.ofMesh() : decided(users, this.ofMesh());
  }

  /** The PeerAuthentication for a whole namespace. */
  #wide(namespace: string): PresentView | undefined {
    return this.#effective.find((one) => one.namespace === namespace && !selectsPods(one.spec));
  }
}

const BY_DEFAULT: EffectiveMode = { mode: 'PERMISSIVE' };

function decided(object: PresentView, above: EffectiveMode): EffectiveMode {
  const mode = modeOf(object.spec);
  return mode === undefined ? above : { mode, by: deciding(object) };
}

function deciding({ namespace, name, spec }: PresentView): DecidingObject {
  return { namespace, name, selector: selectedLabels(spec) };
}

/** istiod's order: by age in whole seconds, then by name and namespace. */
function compareAge(a: PresentView, b: PresentView): number {
  const [first, second] = [a, b].map(({ created = '', name, namespace }) => [created, name, namespace].join('\0'));
  return (first ?? '') < (second ?? '') ? -1 : 1;
}
