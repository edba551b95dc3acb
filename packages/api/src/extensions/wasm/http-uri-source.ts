// spec.filters[].httpUriSource of a WasmDeployment
import type { SpecField } from '../../schema/field.ts';
import { object } from '../../schema/object.ts';
import { textLike } from '../../schema/scalar.ts';
import { EXAMPLE_SHA256, sha256 } from './sha256.ts';

/** A module at a URL. Proxies and agents fetch it once and verify it. Omitted: another source has the module. */
export interface WasmHttpUriSource {
  /** Such as `https://modules.example.com/auth.wasm`. `http:` only if the agents' configuration allows it. */
  readonly uri: string;
  /** SHA-256 of the module in hexadecimal; another module is rejected. */
  readonly sha256: string;
}

const moduleUri = textLike({
  expected:
    'an https or http URL with a host and without user, password and fragment, such as https://example.com/auth.wasm',
  pattern:
    /^https?:\/\/(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9][-A-Za-z0-9.]*)(:[0-9]{1,5})?(\/[-A-Za-z0-9._~:@!$&'()*+,;=%/]*)?(\?[-A-Za-z0-9._~:@!$&'()*+,;=%/?]*)?$/,
  maxLength: 2048,
});

export const httpUriSource: SpecField<WasmHttpUriSource> = {
  schema: object<WasmHttpUriSource>('WasmHttpUriSource', { required: { uri: moduleUri, sha256 }, optional: {} }),
  examples: [{ uri: 'https://modules.example.com/auth.wasm', sha256: EXAMPLE_SHA256 }],
};
