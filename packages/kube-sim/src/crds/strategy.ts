/** Special behaviour of writes of CustomResourceDefinitions. */
import type { ResourceStrategy } from '../resources/definition.ts';
import { CLEANUP_FINALIZER, type CustomResourceDefinition } from './crd.ts';
import { validateCrd } from './validate-crd.ts';

/** CRDs: names are completed, schemas validated, and a deleted one waits for its instances. */
export const customResourceDefinitionStrategy: ResourceStrategy = {
  tracksGeneration: true,
  requiresResourceVersion: true,
  finalizersOnDelete: [CLEANUP_FINALIZER],
  zero: { spec: { names: {} }, status: {} },
  default(draft) {
    const { spec } = draft as CustomResourceDefinition;
    if (spec?.names?.kind === undefined) return;
    spec.names.singular ??= spec.names.kind.toLowerCase();
    spec.names.listKind ??= `${spec.names.kind}List`;
  },
  prepareCreate(draft) {
    const { spec } = draft as CustomResourceDefinition;
    const storage = spec?.versions?.find((version) => version.storage)?.name;
    draft['status'] = {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: storage === undefined ? [] : [storage],
    };
  },
  validate: validateCrd,
};
