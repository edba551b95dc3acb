/**
 * WasmPlugins: proxies run all that select them. Within a phase, priority defines the order, then namespace and age. So
 * users who depend on the order must know both.
 */
import type { ObjectConflict, ObjectConflicts } from '@meshrelay/plugin';
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
    if (pods === undefined || phaseOf(own) !== phaseOf(spec) || !affectSameTraffic(own, spec)) return undefined;
    return { effect: 'info', text: `runs in ${pods} in the same phase; ${orderOf(own, spec)}` };
  },
};

function orderOf(managed: Fields, unmanaged: Fields): string {
  const [own = 0, other] = [priorityOf(managed), priorityOf(unmanaged)];
  if (other === undefined)
    return `it runs after the generated one, because it has no priority, the lowest for Istio, and the generated one has ${own}`;
  if (own === other)
    return `both have priority ${own}, so Istio orders them by age; if the order matters, give yours another priority, or the deployment another weight`;
  return `it runs ${other > own ? 'before' : 'after'} the generated one, because its priority is ${other} and that of the generated one ${own}`;
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
function affectSameTraffic(managed: Fields, unmanaged: Fields): boolean {
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
