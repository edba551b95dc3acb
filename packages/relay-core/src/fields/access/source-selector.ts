/** spec.sourceSelector */
import type { AccessField } from './field.ts';

/**
 * The callers. An empty list of principals matches no caller. An ALLOW without callers rejects every request, for
 * example if the mesh does not support what the ALLOW allowed. `*` as the last character of a principal matches any
 * ending. Principals are `<trust domain>/ns/<ns>/sa/<name>`.
 */
export type AccessSources =
  | { readonly kind: 'principals'; readonly principals: readonly string[] }
  /** Every caller, authenticated or not. */
  | { readonly kind: 'anyone' };

export interface SourcesView {
  readonly sources: AccessSources;
}

type SourceCapability = 'access.sources.namespaces' | 'access.sources.trustDomains';

/** A rule needs none of the capabilities as a whole: core drops single callers. */
export const sourceSelector: AccessField<SourcesView, SourceCapability> = {
  capabilities: {
    'access.sources.namespaces': 'spec.sourceSelector',
    'access.sources.trustDomains': 'spec.sourceSelector',
  },
  closed: { sources: { kind: 'principals', principals: [] } },
  requires: () => [],
};

/** What a caller of a rule needs; nothing for a caller by name. */
export function sourceRequirements(principal: string): readonly SourceCapability[] {
  if (!principal.endsWith('*')) return [];
  return principal.includes('/ns/') ? ['access.sources.namespaces'] : ['access.sources.trustDomains'];
}
