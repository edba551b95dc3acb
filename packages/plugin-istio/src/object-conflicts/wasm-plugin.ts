/**
 * WasmPlugins: proxies run all that select them. Within a phase, priority defines the order, then namespace and age. So
 * users who depend on the order must know both.
 */
import type { ObjectConflict, ObjectConflicts } from '@meshrelay/relay-core';
import { rootNamespace } from '../root-namespace.ts';
import { type Fields, listOf, namespaceOf, namesTargets, selectedLabels, sharedPods, specOf } from './spec.ts';

const WIDE = 'WasmPlugin wide';
const DIRECTIONS = ['CLIENT', 'SERVER'] as const;

export const wasmPlugins: ObjectConflicts = {
  indexKeys(unmanaged) {
    const spec = specOf(unmanaged);
    if (namesTargets(spec)) return [];
    const words = labelWords(spec);
    return words.length === 0 ? [WIDE] : [...words, placeWord(namespaceOf(unmanaged))];
  },
  lookupKeys(managed) {
    const words = labelWords(specOf(managed));
    return [...(words.length === 0 ? [placeWord(namespaceOf(managed))] : words), WIDE];
  },
  detect(managed, unmanaged, meshes): ObjectConflict | undefined {
    const namespace = namespaceOf(unmanaged);
    const isEverywhere = meshes.some((mesh) => rootNamespace(mesh) === namespace);
    if (!isEverywhere && namespace !== namespaceOf(managed)) return undefined;
    const [own, spec] = [specOf(managed), specOf(unmanaged)];
    const pods = sharedPods(selectedLabels(own), selectedLabels(spec));
    if (pods === undefined || phaseOf(own) !== phaseOf(spec) || !meetInTraffic(own, spec)) return undefined;
    return { effect: 'info', text: `runs in ${pods} in the same phase; ${orderOf(own, spec)}` };
  },
};

function orderOf(managed: Fields, unmanaged: Fields): string {
  const [own = 0, other] = [priorityOf(managed), priorityOf(unmanaged)];
  if (other === undefined)
    return `requests meet it after ours, as it has no priority, which Istio takes for the lowest, and ours is ${own}`;
  if (own === other)
    return `both have the priority ${own}, so Istio goes by their age; give yours another priority, or the deployment another weight, where the order matters`;
  return `requests meet it ${other > own ? 'first' : 'after ours'}, as its priority is ${other} and ours ${own}`;
}

function labelWords(spec: Fields): string[] {
  return Object.entries(selectedLabels(spec)).map(([name, value]) => `WasmPlugin ${name}=${value}`);
}

/** Key for those with a selector: a generated one for a whole namespace has no labels to look them up by. */
function placeWord(namespace: string): string {
  return `WasmPlugin in ${namespace}`;
}

/** '' for the last phase, which has no name. */
function phaseOf({ phase }: Fields): string {
  return typeof phase === 'string' && !phase.startsWith('UNSPECIFIED') ? phase : '';
}

/** Undefined sorts below any number. */
function priorityOf({ priority }: Fields): number | undefined {
  return typeof priority === 'number' ? priority : undefined;
}

/** Whether both apply to some of the same traffic, by direction. */
function meetInTraffic(managed: Fields, unmanaged: Fields): boolean {
  const [own, other] = [directionsOf(managed), directionsOf(unmanaged)];
  return own.some((direction) => other.includes(direction));
}

/** The directions of its matchers: both if it has no matchers, or one without a single direction. */
function directionsOf(spec: Fields): readonly string[] {
  const modes = listOf(spec['match']).map(({ mode }) => mode);
  const alone = DIRECTIONS.filter((direction) => modes.includes(direction));
  const isBoth = modes.length === 0 || modes.some((mode) => !DIRECTIONS.some((direction) => direction === mode));
  return isBoth ? DIRECTIONS : alone;
}
