/** The volumes of a pod, as folders. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Client } from '@meshrelay/testing/api-server';
import { downwardField, type Items, nameOf, type Pod, type ProjectedSource, type Volume } from './pod.ts';

type Files = ReadonlyMap<string, Buffer>;

/** Seconds that a token is valid if the pod does not say; a story is shorter. */
const TOKEN_SECONDS = 3600;

export class Volumes {
  readonly #client: Client;
  readonly #pod: Pod;
  readonly #address: string;

  constructor(client: Client, pod: Pod, address: string) {
    this.#client = client;
    this.#pod = pod;
    this.#address = address;
  }

  /** Creates a folder for each volume, which the volume's name names. @throws Error that names the pod and what is missing */
  async write(folder: string): Promise<void> {
    for (const volume of this.#pod.spec.volumes ?? []) {
      const at = join(folder, volume.name);
      await mkdir(at, { recursive: true });
      // Any user of a container may write to an emptyDir.
      if (volume.emptyDir !== undefined) await chmod(at, 0o777);
      for (const [path, content] of await this.#filesOf(volume)) {
        await mkdir(dirname(join(at, path)), { recursive: true });
        await writeFile(join(at, path), content, { mode: 0o644 });
      }
    }
  }

  /** The data of a ConfigMap or Secret in the pod's namespace. @throws Error if it is missing */
  async read(kind: 'configmaps' | 'secrets', name: string): Promise<Readonly<Record<string, Buffer>>> {
    const path = `/api/v1/namespaces/${this.#pod.metadata.namespace}/${kind}/${name}`;
    const { status, body } = await this.#client.get(path);
    if (status !== 200) throw new Error(`pod ${nameOf(this.#pod)}: GET ${path} answered ${status}`);
    const encoding = kind === 'secrets' ? 'base64' : 'utf8';
    const data = Object.entries((body.data ?? {}) as Readonly<Record<string, string>>);
    return Object.fromEntries(data.map(([key, text]) => [key, Buffer.from(text, encoding)]));
  }

  async #filesOf({ name, emptyDir, configMap, secret, projected }: Volume): Promise<Files> {
    if (emptyDir !== undefined) return new Map();
    if (configMap !== undefined) return selected(await this.read('configmaps', configMap.name), configMap);
    if (secret !== undefined) return selected(await this.read('secrets', secret.secretName), secret);
    if (projected === undefined)
      throw new Error(`pod ${nameOf(this.#pod)}: the type of the volume ${name} is not supported for processes`);
    const files = new Map<string, Buffer>();
    for (const source of projected.sources)
      for (const [path, content] of await this.#projectedFiles(source)) files.set(path, content);
    return files;
  }

  async #projectedFiles({ serviceAccountToken, configMap, secret, downwardAPI }: ProjectedSource): Promise<Files> {
    if (configMap !== undefined) return selected(await this.read('configmaps', configMap.name), configMap);
    if (secret !== undefined) return selected(await this.read('secrets', secret.name), secret);
    if (downwardAPI !== undefined)
      return new Map(
        downwardAPI.items.map(({ path, fieldRef }) => [
          path,
          Buffer.from(downwardField(this.#pod, this.#address, fieldRef.fieldPath)),
        ]),
      );
    if (serviceAccountToken === undefined)
      throw new Error(`pod ${nameOf(this.#pod)}: a source of a projected volume is not supported for processes`);
    return new Map([[serviceAccountToken.path, Buffer.from(await this.#token(serviceAccountToken))]]);
  }

  /** Bound to the pod, as a kubelet requests it: it is invalid when the pod is deleted. */
  async #token(options: NonNullable<ProjectedSource['serviceAccountToken']>): Promise<string> {
    const { metadata, spec } = this.#pod;
    const account = spec.serviceAccountName ?? 'default';
    const path = `/api/v1/namespaces/${metadata.namespace}/serviceaccounts/${account}/token`;
    const request = {
      audiences: options.audience === undefined ? [] : [options.audience],
      expirationSeconds: options.expirationSeconds ?? TOKEN_SECONDS,
      boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: metadata.name, uid: metadata.uid },
    };
    const { status, body, text } = await this.#client.post(path, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: request,
    });
    if (status !== 201) throw new Error(`pod ${nameOf(this.#pod)}: POST ${path} answered ${status}: ${text}`);
    return body.status.token as string;
  }
}

/** All keys as files, or those that `items` name. @throws Error if a key is missing */
function selected(data: Readonly<Record<string, Buffer>>, { items }: Items): Files {
  if (items === undefined) return new Map(Object.entries(data));
  return new Map(
    items.map(({ key, path }) => {
      const content = data[key];
      if (content === undefined) throw new Error(`a volume needs the key ${key}, which is missing`);
      return [path, content];
    }),
  );
}
