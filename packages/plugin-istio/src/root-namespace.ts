/** The namespace whose objects apply to a whole mesh. */
import type { MeshFacts } from '@meshrelay/plugin';

/** From the mesh configuration, else the control plane's own namespace. */
export function rootNamespace({ namespace, details }: MeshFacts): string {
  const root = details['rootNamespace'];
  return typeof root === 'string' ? root : namespace;
}
