/** The namespace whose objects hold for a whole mesh. */
import type { MeshFacts } from '@meshrelay/relay-core';

/** As its configuration says, else the control plane's own. */
export function rootNamespace({ namespace, details }: MeshFacts): string {
  const root = details['rootNamespace'];
  return typeof root === 'string' ? root : namespace;
}
