// CRDs as YAML files.
import { stringify } from 'yaml';
import type { CustomResourceDefinition } from '../src/crds/mod.ts';

/** The text of the file for `crd`, ready for `kubectl apply`. */
export function crdYaml(crd: CustomResourceDefinition): string {
  const notice = '# Generated from packages/api by scripts/generate.ts; run `node packages/api/scripts/generate.ts`.';
  return `${notice}\n${stringify(crd, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}
