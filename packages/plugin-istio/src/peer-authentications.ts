/**
 * Which connections pods take: what Istio makes of all PeerAuthentications that hold for them. One without a selector is for its namespace, or, in the
 * root namespace, for the mesh; one with a selector is for pods of its namespace, and means nothing in the root namespace. Of several of one scope the oldest
 * counts. What one leaves unset is taken from the next wider scope, and Istio's own default is PERMISSIVE.
 */
import type { PolicyRef } from '@meshrelay/api';
import type { MeshFacts, NativeObject, PresentView } from '@meshrelay/relay-core';
import { istioObject, PEER_AUTHENTICATION } from './kinds.ts';
import { meshName } from './names.ts';
import { type Fields, fieldsOf, selectedLabels, within } from './object-conflicts/spec.ts';
import { rootNamespace } from './root-namespace.ts';

export type PeerMode = 'DISABLE' | 'PERMISSIVE' | 'STRICT';

/** What decides a mode: a user's object, or ours for a virtual mesh. */
export interface DecidingObject {
  readonly namespace: string;
  readonly name: string;
  /** The labels of the pods that it is for; empty: all. */
  readonly selector: Readonly<Record<string, string>>;
  /** For which ours is there; undefined: it is the user's. */
  readonly virtualMesh?: PolicyRef;
}

/** A mode, and what decides it: nothing does where Istio's own default holds. */
export type EffectiveMode =
  | { readonly mode: RefusingMode; readonly by: DecidingObject }
  | { readonly mode: 'PERMISSIVE'; readonly by?: DecidingObject };

/** Modes by which some callers are not taken. */
export type RefusingMode = Exclude<PeerMode, 'PERMISSIVE'>;

/** The name of ours, in the root namespace. */
const STRICT_NAME = meshName('strict-mtls');

/** Ours, which demands mutual TLS in the whole mesh. */
export function strictPeerAuthentication(mesh: MeshFacts): NativeObject {
  return istioObject(PEER_AUTHENTICATION, rootNamespace(mesh), STRICT_NAME, { mtls: { mode: 'STRICT' } });
}

/** The mode for all ports as an object has it; undefined where it leaves that to what is above it. */
export function modeOf(spec: Fields): PeerMode | undefined {
  const { mode } = fieldsOf(spec['mtls']);
  return MODES.find((one) => one === mode);
}

const MODES: readonly PeerMode[] = ['DISABLE', 'PERMISSIVE', 'STRICT'];

/** Whether it is for some pods of its namespace only. */
export function selectsPods(spec: Fields): boolean {
  return Object.keys(selectedLabels(spec)).length > 0;
}

/** The PeerAuthentications of a mesh, as far as they are known here. */
export class PeerAuthentications {
  readonly #root: string;
  /** Users' that count, the oldest first. */
  readonly #inForce: readonly PresentView[];
  readonly #strict: PolicyRef | undefined;

  /**
   * @param present users' objects of any kind
   * @param strict the virtual mesh that demands mutual TLS of the whole mesh, if one does: a user's for the whole mesh keeps ours away
   */
  constructor(present: readonly PresentView[], mesh: MeshFacts, strict: PolicyRef | undefined) {
    this.#root = rootNamespace(mesh);
    this.#strict = strict;
    const all = present.filter(({ kind }) => kind === PEER_AUTHENTICATION.kind).toSorted(compareAge);
    this.#inForce = all.filter((one) =>
      selectsPods(one.spec)
        ? one.namespace !== this.#root
        : one === all.find(({ namespace, spec }) => namespace === one.namespace && !selectsPods(spec)),
    );
  }

  /** Whether Istio heeds a user's: beside an older one, or where it is, it may mean nothing. */
  isInForce(object: PresentView): boolean {
    return this.#inForce.includes(object);
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

  /** @param port that a container listens on; undefined where it is not known */
  ofPort(namespace: string, podLabels: Readonly<Record<string, string>>, port: number | undefined): EffectiveMode {
    const ofPods = this.#inForce.find(
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

  /** The one for a whole namespace. */
  #wide(namespace: string): PresentView | undefined {
    return this.#inForce.find((one) => one.namespace === namespace && !selectsPods(one.spec));
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

/** As istiod orders them: by age in whole seconds, then by name and namespace. */
function compareAge(a: PresentView, b: PresentView): number {
  const [first, second] = [a, b].map(({ created = '', name, namespace }) => [created, name, namespace].join('\0'));
  return (first ?? '') < (second ?? '') ? -1 : 1;
}
