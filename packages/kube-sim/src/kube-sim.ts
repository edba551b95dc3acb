/** One simulated cluster as a library: an API server with its built-in controllers, in this process. */
import { randomBytes, randomUUID } from 'node:crypto';
import { internalWrite } from './admission/write-options.ts';
import { WriteHistory, type WriteRecord } from './audit/write-history.ts';
import {
  type CertificateAuthority,
  createAuthority,
  type KeyedCertificate,
  type Subject,
} from './certificates/certificate.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Cluster } from './cluster.ts';
import { type Controller, type ControllerOptions, startControllers } from './controllers/mod.ts';
import { startCrdRegistrar } from './crds/registrar.ts';
import { FaultPlan } from './faults/fault-plan.ts';
import { type Address, listen } from './http/listen.ts';
import { TokenIssuer } from './identity/token-issuer.ts';
import { authenticated, type User } from './identity/user.ts';
import { kubeconfig } from './kubeconfig.ts';
import { type Log, silentLog } from './log.ts';
import { loadManifests } from './manifests/load-manifests.ts';
import { storeManifests } from './manifests/store-manifests.ts';
import type { KubeObject } from './object.ts';
import { type ObjectsApi, objectsApi } from './objects-api.ts';
import { OpenApiIndex } from './openapi/openapi-index.ts';
import { builtinDefinitions } from './resources/builtin/definitions.ts';
import { Catalog } from './resources/catalog.ts';
import { controllerStore } from './storage/cluster-store.ts';
import { ObjectStore } from './storage/object-store.ts';
import { startUpkeep } from './upkeep/start-upkeep.ts';

/** Options of a simulator. */
export interface KubeSimOptions {
  /** The cluster's name in logs and in the kubeconfig; default: `kube-sim`. */
  readonly name?: string;
  /** Address to listen on; default: a free port of 127.0.0.1. */
  readonly listen?: Partial<Address>;
  /** Files and folders of CRDs, stored first. */
  readonly crds?: readonly string[];
  /** Files and folders of initial objects. */
  readonly manifests?: readonly string[];
  /** Initial objects, after those from files. */
  readonly objects?: readonly KubeObject[];
  /** Bearer tokens of users, in addition to the administrator's. */
  readonly tokens?: Readonly<Record<string, { readonly name: string; readonly groups?: readonly string[] }>>;
  /**
   * Options of the controllers that make a working cluster from manifests (pods of Deployments, addresses of Services,
   * sidecars, …), or false for an API server alone. Namespace deletion and garbage collection always run.
   */
  readonly controllers?: Omit<ControllerOptions, 'caCertificate' | 'onFault'> | false;
  readonly clock?: Clock;
  readonly log?: Log;
  /** Number of changes of each resource that watches can go back; default: 1000. */
  readonly historyCapacity?: number;
  /** Called for every effective write from the first request on, inside the write. */
  readonly recordWrite?: (record: WriteRecord) => void;
}

/** A running simulator. Disposing it closes every connection and frees the port. */
export interface KubeSim extends AsyncDisposable {
  readonly name: string;
  /** `https://host:port`. */
  readonly url: string;
  /** The text of a kubeconfig for the administrator. */
  readonly kubeconfig: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly ca: string;
  /** The administrator's bearer token. */
  readonly token: string;
  /** The objects, without HTTP. */
  readonly objects: ObjectsApi;
  /** Every stored object, by resource, namespace and name. They must not be changed. */
  snapshot(): readonly KubeObject[];
  /** Resolves once the built-in controllers have handled every change so far. */
  settled(): Promise<void>;
  /** Creates a client certificate; the common name is the user, the organizations are the groups. */
  clientCertificate(subject: Subject): KeyedCertificate;
  /** Faults of requests; initially none. */
  readonly faults: FaultPlan;
  /** Drops the history of every resource, so that older watches and pages answer 410. */
  compact(): void;
}

/**
 * Starts a simulator.
 * @throws Error when the address cannot be bound, or a manifest cannot be read or stored
 */
export async function startKubeSim(options: KubeSimOptions = {}): Promise<KubeSim> {
  const { name = 'kube-sim', clock = systemClock, log = silentLog } = options;
  const cluster = createCluster(name, clock, options.historyCapacity);
  await using cleanup = new AsyncDisposableStack();
  cleanup.use(startCrdRegistrar(cluster));
  cleanup.use(startUpkeep(cluster));
  const authority = createAuthority(`${name}-ca`, clock.now());

  const found = [
    ...(await loadManifests(options.crds ?? [])),
    ...(await loadManifests(options.manifests ?? [])),
    ...(options.objects ?? []).map((object) => ({ object, origin: 'objects' })),
  ];
  await storeManifests(cluster, found);
  const controllers =
    options.controllers === false ? undefined : cleanup.use(runControllers(cluster, log, authority, options));

  const history = new WriteHistory(options.recordWrite, () => clock.now());
  cluster.store.onChange((resource, event) => history.note(resource, event));
  const faults = new FaultPlan(() => cluster.store.revision);
  const token = randomBytes(24).toString('base64url');
  const tokens = knownTokens(token, options);
  const address = { host: '127.0.0.1', port: 0, ...options.listen };
  let reached = '';
  const listener = cleanup.use(
    await listen(
      {
        cluster,
        log,
        faults,
        history,
        credentials: { tokens, issuer: new TokenIssuer(cluster) },
        openApi: new OpenApiIndex(cluster.catalog),
        address: () => reached,
      },
      authority,
      address,
    ),
  );
  reached = `${listener.host}:${listener.port}`;
  const url = `https://${reached}`;
  const running = cleanup.move();
  return {
    name,
    url,
    token,
    ca: authority.certificate,
    kubeconfig: kubeconfig({ name, url, ca: authority.certificate, credential: { token } }),
    objects: objectsApi(cluster, internalWrite('kube-sim')),
    snapshot: () =>
      cluster.catalog.all().flatMap((definition) =>
        cluster.store
          .collection(definition)
          .snapshot()
          .map(([, object]) => object),
      ),
    settled: async () => controllers?.idle(),
    clientCertificate: (subject) => authority.client(subject),
    faults,
    compact: () => cluster.store.compact(cluster.store.revision),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function runControllers(
  cluster: Cluster,
  log: Log,
  authority: CertificateAuthority,
  { controllers = {} }: KubeSimOptions,
): Controller {
  return startControllers(controllerStore(cluster, 'kube-controller-manager'), {
    ...controllers,
    caCertificate: authority.certificate,
    onFault: (error, what) =>
      log.error('controllers', what, { error: error instanceof Error ? error.message : String(error) }),
  });
}

function createCluster(name: string, clock: Clock, historyCapacity: number | undefined): Cluster {
  const store = new ObjectStore(historyCapacity);
  const catalog = new Catalog();
  for (const definition of builtinDefinitions()) {
    catalog.set(definition);
    store.collection(definition);
  }
  return { name, clock, store, catalog, newUid: randomUUID, nameSuffix };
}

/** Without vowels and look-alikes, as in Kubernetes, so that no words arise. */
const SUFFIX_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

function nameSuffix(): string {
  return [...randomBytes(5)].map((byte) => SUFFIX_LETTERS[byte % SUFFIX_LETTERS.length]).join('');
}

function knownTokens(token: string, { tokens = {} }: KubeSimOptions): ReadonlyMap<string, User> {
  const known = new Map([[token, authenticated('kubernetes-admin', ['system:masters'])]]);
  for (const [each, { name, groups = [] }] of Object.entries(tokens)) known.set(each, authenticated(name, groups));
  return known;
}
