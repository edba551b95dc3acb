/** Fetches a module from the location in its reference, and verifies it. */
import type { WasmModuleReference } from '@meshrelay/envoy-api';
import { AllowList } from '../fetch/allow-list.ts';
import { type FetchOptions, fetchFile } from '../fetch/fetch-bytes.ts';
import type { Resolver } from '../fetch/pinned-request.ts';
import { ModuleError } from '../module-error.ts';
import { moduleOfImage } from '../oci/image-module.ts';
import { imageName } from '../oci/image-name.ts';
import { userOf } from '../oci/pull-secret.ts';
import { sha256Of } from './module-cache.ts';

/** Data from the agent's own cluster that modules need. */
export interface ClusterFiles {
  /** Binary data of a ConfigMap under a key. @throws ModuleError */
  configMap(namespace: string, name: string, key: string, signal: AbortSignal): Promise<Uint8Array>;
  /** Configuration in a Secret of type `kubernetes.io/dockerconfigjson`. @throws ModuleError */
  dockerConfig(namespace: string, name: string, signal: AbortSignal): Promise<string>;
}

export interface ModuleSourceOptions {
  /** Hosts and addresses that the agent may call. */
  readonly hosts: readonly string[];
  /** Limit per module. */
  readonly maxBytes: number;
  /** Timeout per module, in milliseconds. */
  readonly timeout: number;
  readonly cluster: ClusterFiles;
  readonly resolve: Resolver;
  /** Roots to trust in addition to the system's, PEM. */
  readonly roots?: readonly string[] | undefined;
}

export class ModuleSource {
  readonly #options: ModuleSourceOptions;
  readonly #allowed: AllowList;

  constructor(options: ModuleSourceOptions) {
    this.#options = options;
    this.#allowed = new AllowList(options.hosts);
  }

  /** Returns a file with the Wasm header, the requested hash and at most the maximum bytes. @throws ModuleError */
  async fetch(reference: WasmModuleReference, ended: AbortSignal): Promise<Uint8Array> {
    const signal = AbortSignal.any([ended, AbortSignal.timeout(this.#options.timeout)]);
    const bytes = await this.#bytesOf(reference, signal);
    const { sha256 } = reference;
    const found = sha256Of(bytes);
    if (sha256 !== undefined && sha256 !== found)
      throw new ModuleError(
        `${nameOf(reference)} has the SHA-256 ${found} instead of ${sha256}; correct the hash, or replace the module`,
        'changed',
      );
    if (!isModule(bytes))
      throw new ModuleError(
        `${nameOf(reference)} is not a WebAssembly module: the first bytes are wrong; put the module itself there`,
        'changed',
      );
    return bytes;
  }

  async #bytesOf(reference: WasmModuleReference, signal: AbortSignal): Promise<Uint8Array> {
    const { maxBytes, cluster, resolve, roots } = this.#options;
    const options: FetchOptions = { allowed: this.#allowed, resolve, signal, maxBytes, roots };
    switch (reference.kind) {
      case 'http': {
        const url = URL.parse(reference.uri);
        if (url === null)
          throw new ModuleError(`${reference.uri} is not a URI of a module; use https:// or oci://`, 'changed');
        return (await fetchFile(url, options)).body;
      }
      case 'image': {
        const { image, pullSecret } = reference;
        const { registry } = imageName(image);
        const user =
          pullSecret === undefined
            ? undefined
            : userOf(
                await cluster.dockerConfig(pullSecret.namespace, pullSecret.name, signal),
                registry,
                `${pullSecret.namespace}/${pullSecret.name}`,
              );
        return await moduleOfImage(image, { ...options, user, plain: this.#hasNoTls(registry) });
      }
      case 'configMap': {
        const { namespace, name, key } = reference;
        const bytes = await cluster.configMap(namespace, name, key, signal);
        if (bytes.length <= maxBytes) return bytes;
        throw new ModuleError(
          `${nameOf(reference)} has more than ${maxBytes} bytes, the limit of the agent (wasm.maxBytes of its configuration)`,
          'changed',
        );
      }
    }
  }

  /** Image names do not contain the scheme. If the list has the registry only without TLS, it has no TLS. */
  #hasNoTls(registry: string): boolean {
    const [secure, plain] = [URL.parse(`https://${registry}`), URL.parse(`http://${registry}`)];
    if (secure === null || plain === null) return false;
    return this.#allowed.urlProblem(secure) !== undefined && this.#allowed.urlProblem(plain) === undefined;
  }
}

/** `\0asm`. */
function isModule(bytes: Uint8Array): boolean {
  return bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d && bytes.length >= 8;
}

/** Name by which a user knows a module. */
export function nameOf(reference: WasmModuleReference): string {
  switch (reference.kind) {
    case 'http':
      return reference.uri;
    case 'image':
      return `the module of ${reference.image}`;
    case 'configMap':
      return `${reference.key} of ConfigMap ${reference.namespace}/${reference.name}`;
  }
}
