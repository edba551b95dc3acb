// spec.filters[].wasmImageSource of a WasmDeployment
import type { SpecField } from '../../schema/field.ts';
import { object } from '../../schema/object.ts';
import { dnsName, textLike } from '../../schema/scalar.ts';
import { EXAMPLE_SHA256, sha256 } from './sha256.ts';

/** A module in an image registry. Omitted: another source has the module. */
export interface WasmImageSource {
  /** Such as `registry.example.com/filters/auth:v1`; with `@sha256:...` it cannot change. */
  readonly wasmImageTag: string;
  /** SHA-256 of the module in the image; another module is rejected. Omitted: any module in the image. */
  readonly sha256?: string;
  /** Name of a Secret of type `kubernetes.io/dockerconfigjson` in the namespace of each workload. Omitted: none. */
  readonly imagePullSecret?: string;
}

const moduleImage = textLike({
  expected: 'an image with its registry and a tag or digest, such as registry.example.com/filters/auth:v1',
  pattern:
    /^(\[[0-9a-f:.]+\]|[a-z0-9][-a-z0-9.]*)(:[0-9]{1,5})?(\/[a-z0-9]+(([._]|__|-+)[a-z0-9]+)*)+(:[A-Za-z0-9_][-A-Za-z0-9_.]{0,127}|@sha256:[0-9a-f]{64}|:[A-Za-z0-9_][-A-Za-z0-9_.]{0,127}@sha256:[0-9a-f]{64})$/,
  maxLength: 1024,
});

export const wasmImageSource: SpecField<WasmImageSource> = {
  schema: object<WasmImageSource>('WasmImageSource', {
    required: { wasmImageTag: moduleImage },
    optional: { sha256, imagePullSecret: dnsName },
  }),
  examples: [
    {
      wasmImageTag: 'registry.example.com/filters/auth:v1',
      sha256: EXAMPLE_SHA256,
      imagePullSecret: 'registry-example-com',
    },
  ],
};
