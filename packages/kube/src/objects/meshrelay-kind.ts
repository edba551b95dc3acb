/** Meshrelay kinds as resources of an API server. */
import { definitionOf, type KindName } from '@meshrelay/api';
import type { ResourceKind } from '@meshrelay/relay-core';

/** A Meshrelay kind. */
export function meshrelayKind(kind: KindName): ResourceKind {
  const { group, version, plural, scope } = definitionOf(kind);
  return { group, version, kind, plural, namespaced: scope === 'Namespaced' };
}
