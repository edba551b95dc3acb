/** spec.unauthenticated */
import type { AccessField } from './field.ts';
import type { SourcesView } from './source-selector.ts';

export const unauthenticated: AccessField<SourcesView, 'access.unauthenticated'> = {
  capabilities: { 'access.unauthenticated': 'spec.unauthenticated' },
  closed: { sources: { kind: 'principals', principals: [] } },
  requires: ({ sources }) => (sources.kind === 'anyone' ? ['access.unauthenticated'] : []),
};
