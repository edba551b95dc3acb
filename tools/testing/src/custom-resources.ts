/** Kinds defined by CRDs on an API server: installs the CRDs and validates objects with the server. */
import type { Client, Reply } from './api-server.ts';
import { eventually } from './eventually.ts';

/** The fields of a CustomResourceDefinition that installing needs. */
export interface InstallableCrd {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly versions: ReadonlyArray<{ readonly name: string; readonly served: boolean }>;
  };
}

/** An object of such a kind. */
export interface CustomResource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
}

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** CRDs on a server, and objects of their kinds. */
export class CustomResources {
  readonly #client: Client;
  readonly #byKind: ReadonlyMap<string, InstallableCrd>;
  readonly #namespaces = new Set<string>(['default']);

  private constructor(client: Client, crds: readonly InstallableCrd[]) {
    this.#client = client;
    this.#byKind = new Map(crds.map((crd) => [`${crd.spec.group} ${crd.spec.names.kind}`, crd]));
  }

  /**
   * Installs CRDs, or replaces those of the same names, and waits until the server serves them.
   * @throws Error with the server's reply if it rejects a CRD, returns a warning, or does not establish it
   */
  static async install(client: Client, crds: readonly InstallableCrd[]): Promise<CustomResources> {
    for (const crd of crds) await put(client, crd);
    for (const { metadata } of crds) {
      let reply: Reply | undefined;
      await eventually(
        `${metadata.name} is served`,
        async () => {
          reply = await client.get(`${CRDS}/${metadata.name}`);
          return isEstablished(reply);
        },
        { seen: () => reply?.body?.status },
      );
    }
    const resources = new CustomResources(client, crds);
    for (const crd of crds) {
      const version = crd.spec.versions.find(({ served }) => served);
      const path = `/apis/${crd.spec.group}/${version?.name}/${crd.spec.names.plural}`;
      await eventually(`${path} answers`, async () => (await client.get(path)).status === 200);
    }
    return resources;
  }

  /** Whether one of these CRDs defines the object's kind. */
  serves(object: CustomResource): boolean {
    return this.#byKind.has(idOf(object));
  }

  /**
   * The server's reply to creating the object as a dry run. Unknown fields are rejected.
   * @throws Error if none of these CRDs defines the kind
   */
  async admit(object: CustomResource): Promise<Reply> {
    const path = await this.#pathOf(object);
    return await this.#client.post(`${path}?dryRun=All&fieldValidation=Strict&fieldManager=test`, object);
  }

  /**
   * Creates the object, as a user does. Unknown fields are rejected.
   * @throws Error if none of these CRDs defines the kind
   */
  async create(object: CustomResource): Promise<Reply> {
    return await this.#client.post(`${await this.#pathOf(object)}?fieldValidation=Strict&fieldManager=user`, object);
  }

  /**
   * Applies the object as an agent does: server-side apply under the agent's field manager, with force.
   * @throws Error if none of these CRDs defines the kind
   */
  async apply(object: CustomResource): Promise<Reply> {
    const path = `${await this.#pathOf(object)}/${object.metadata?.name}`;
    return await this.#client.patch(`${path}?fieldManager=meshrelay-agent&force=true`, 'apply', object);
  }

  /** The stored object of the same name. */
  async read(object: CustomResource): Promise<Reply> {
    return await this.#client.get(`${await this.#pathOf(object)}/${object.metadata?.name}`);
  }

  /** Deletes the object. */
  async delete(object: CustomResource): Promise<Reply> {
    return await this.#client.delete(`${await this.#pathOf(object)}/${object.metadata?.name}`);
  }

  async #pathOf(object: CustomResource): Promise<string> {
    const crd = this.#byKind.get(idOf(object));
    if (crd === undefined) throw new Error(`no CRD was installed for ${idOf(object)}`);
    const { group, names, scope } = crd.spec;
    const version = object.apiVersion.slice(group.length + 1);
    const namespace = object.metadata?.namespace ?? 'default';
    const place = scope === 'Namespaced' ? `namespaces/${await this.#made(namespace)}/${names.plural}` : names.plural;
    return `/apis/${group}/${version}/${place}`;
  }

  async #made(namespace: string): Promise<string> {
    if (!this.#namespaces.has(namespace)) {
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
      const { status, text } = await this.#client.post('/api/v1/namespaces', body);
      if (status !== 201 && status !== 409) throw new Error(`namespace ${namespace}: ${text}`);
      this.#namespaces.add(namespace);
    }
    return namespace;
  }
}

async function put(client: Client, crd: InstallableCrd): Promise<void> {
  const query = '?fieldValidation=Strict';
  const created = await client.post(`${CRDS}${query}`, crd);
  const path = `${CRDS}/${crd.metadata.name}`;
  const reply = created.status === 409 ? await replaced(client, path, crd) : created;
  const { warning } = reply.headers;
  if (![200, 201].includes(reply.status) || warning !== undefined)
    throw new Error(`${crd.metadata.name}: ${reply.status} ${warning ?? ''} ${reply.text}`);
}

async function replaced(client: Client, path: string, crd: InstallableCrd): Promise<Reply> {
  const { resourceVersion } = (await client.get(path)).body.metadata;
  return await client.put(`${path}?fieldValidation=Strict`, { ...crd, metadata: { ...crd.metadata, resourceVersion } });
}

function isEstablished({ body }: Reply): boolean {
  const conditions: ReadonlyArray<{ type: string; status: string; message: string }> = body?.status?.conditions ?? [];
  const rejection = conditions.find(({ type, status }) => type === 'NonStructuralSchema' && status === 'True');
  if (rejection !== undefined) throw new Error(rejection.message);
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
}

function idOf({ apiVersion, kind }: CustomResource): string {
  return `${apiVersion.slice(0, apiVersion.lastIndexOf('/'))} ${kind}`;
}
