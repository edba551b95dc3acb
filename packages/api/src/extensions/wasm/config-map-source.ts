// spec.filters[].configMapSource of a WasmDeployment
import type { SpecField } from '../../schema/field.ts';
import { filledIn } from '../../schema/filled-in.ts';
import { object } from '../../schema/object.ts';
import { dnsName, textLike } from '../../schema/scalar.ts';
import { EXAMPLE_SHA256, sha256 } from './sha256.ts';

/**
 * A module in the binary data of a ConfigMap, in the cluster of each workload. Omitted: another source has the module.
 */
export interface WasmConfigMapSource {
  /** The ConfigMap's name. */
  readonly name: string;
  /** Omitted: the namespace of each workload. */
  readonly namespace?: string;
  /** Key of `binaryData`. Default: module.wasm. */
  readonly key?: string;
  /** SHA-256 of the module; another module is rejected. Omitted: any module in the ConfigMap. */
  readonly sha256?: string;
}

const dataKey = textLike({
  expected: 'a key of a ConfigMap: letters, digits, -, _ and .',
  pattern: /^[-._A-Za-z0-9]+$/,
  maxLength: 253,
});

const defaults = { key: 'module.wasm' };

export const configMapSource: SpecField<WasmConfigMapSource> = {
  schema: object<WasmConfigMapSource>('WasmConfigMapSource', {
    required: { name: dnsName },
    optional: { namespace: dnsName, key: filledIn(dataKey, defaults.key), sha256 },
  }),
  defaults,
  examples: [{ name: 'modules', namespace: 'shop', key: 'auth.wasm', sha256: EXAMPLE_SHA256 }],
};
