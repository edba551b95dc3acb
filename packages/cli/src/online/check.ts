/** Implements `meshctl check`. */
import type { KubeObject, KubernetesCluster, Policy } from '@meshrelay/api';
import { kinds, policyKinds } from '@meshrelay/api';
import { errorMessage } from '@meshrelay/host';
import { isKubeError, type KubeConnection, meshrelayKind, Secrets } from '@meshrelay/kube';
import {
  CERTIFICATES_SECRET,
  type CertificateRegistry,
  readCertificateBook,
  TOKENS_SECRET,
  takesSharedToken,
} from '@meshrelay/pki';
import { policyLine } from '../output/policy-line.ts';
import { CRD } from './kinds.ts';
import { notKnown, type ServerPlace, type ServerProblem, serverProblem } from './server-lease.ts';
import { type ServerReplica, serverReplicas, versionProblems } from './server-replicas.ts';
import { areApart } from './versions.ts';

export interface CheckResult {
  readonly name: string;
  /** Additional information, also without problems. */
  readonly notes?: readonly string[];
  /** The problems; empty if the check passes. */
  readonly problems: readonly string[];
  /** The recommended action. */
  readonly hint: string;
}

export type CheckPlan = ServerPlace;

/** Milliseconds before expiry by which every certificate should have been renewed, whatever its lifetime. */
const ENDS_SOON = 3_600_000;

/**
 * Checks an installation through its management cluster only.
 * @throws KubeError if it does not answer
 */
export async function checkInstallation(management: KubeConnection, plan: CheckPlan): Promise<CheckResult[]> {
  const clusters = (await list(management, 'KubernetesCluster', plan.namespace)) as KubernetesCluster[];
  const problem = await serverProblem(management, plan);
  const policies = await listPolicies(management);
  const replicas = await serverReplicas(management, plan);
  // These results come from statuses that the server writes: while none runs, they are outdated.
  const reported = (result: CheckResult): CheckResult =>
    problem === undefined ? result : { ...result, problems: [notKnown(problem)] };
  return [
    await checkCrds(management),
    checkServer(problem),
    checkReplicas(replicas),
    // That no cluster is registered is true even without a server.
    clusters.length === 0 ? checkClusters(clusters, replicas) : reported(checkClusters(clusters, replicas)),
    reported(checkOutputs(clusters)),
    await checkCertificates(management, plan),
    await checkTokens(management, plan),
    reported(checkAccepted(policies)),
    reported(checkApplied(policies, plan)),
  ];
}

interface Crd {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly versions: readonly { readonly name: string; readonly served: boolean }[] };
}

async function checkCrds(management: KubeConnection): Promise<CheckResult> {
  const crds = (await management.objects(CRD).list()) as unknown as readonly Crd[];
  const present = new Map(crds.map((crd) => [crd.metadata.name, crd]));
  const problems = kinds.flatMap(({ plural, group, version }) => {
    const name = `${plural}.${group}`;
    const crd = present.get(name);
    if (crd === undefined) return [`${name} is missing`];
    const served = crd.spec.versions.filter((one) => one.served).map((one) => one.name);
    return served.includes(version) ? [] : [`${name} serves ${served.join(', ')}, expected ${version}`];
  });
  return {
    name: 'the custom resource definitions are installed',
    problems,
    hint: 'meshctl install on a new cluster, meshctl upgrade on others; without Helm: kubectl apply -f packages/api/crds',
  };
}

function checkServer(problem: ServerProblem | undefined): CheckResult {
  return {
    name: 'a management server leads',
    problems: problem === undefined ? [] : [problem.message],
    hint: 'start the management server, or check its log; set its namespace with --namespace',
  };
}

/** Each replica writes its own Lease, so followers are checked as well as the leader. */
function checkReplicas(replicas: readonly ServerReplica[]): CheckResult {
  return {
    name: 'every replica of the management server is healthy',
    notes: replicas.map(({ name, program }) => `${name} runs ${program}`),
    problems: [...replicas.flatMap(({ problems }) => problems), ...versionProblems(replicas)],
    hint: 'check the log of the named replica; the leader deletes the Lease of a stopped replica after ten minutes. Upgrade all replicas to one version',
  };
}

/** The state of each cluster's agent as the server reports it; a state without a current server is outdated. */
function checkClusters(clusters: readonly KubernetesCluster[], replicas: readonly ServerReplica[]): CheckResult {
  const none = clusters.length === 0 ? ['no cluster is registered'] : [];
  return {
    name: 'the agent of every registered cluster is connected',
    problems: [
      ...none,
      ...clusters.flatMap(({ metadata: { name }, status }) => {
        if (status?.state === undefined) return [`${name} is not seen by the server yet`];
        if (status.state !== 'CONNECTED' && status.state !== 'SUSPENDED')
          return [`${name} is ${status.state}${why(status)}`];
        return [...unreached(status).map((reason) => `${name}: ${reason}`), ...skew(name, status, replicas)];
      }),
    ],
    hint: 'register new clusters with meshctl cluster register; restart the agent of a disconnected cluster, or suspend the cluster; without a reason here, see the log of its agent',
  };
}

/** Server and agent of neighbouring versions work together. */
function skew(
  name: string,
  { agentVersion }: NonNullable<KubernetesCluster['status']>,
  replicas: readonly ServerReplica[],
): string[] {
  const apart = replicas.find(({ program }) => areApart(program, agentVersion ?? ''));
  if (apart === undefined) return [];
  return [
    `${name} runs ${agentVersion} and ${apart.name} runs ${apart.program}, expected at most one minor version apart: meshctl upgrade the older one`,
  ];
}

function why(status: NonNullable<KubernetesCluster['status']>): string {
  const connected = status.conditions?.find(({ type }) => type === 'Connected');
  return connected === undefined || connected.status === 'True' ? '' : `: ${connected.message}`;
}

/** Whether clusters receive the outputs of policies. A reason that applies to all clusters is reported once. */
function checkOutputs(clusters: readonly KubernetesCluster[]): CheckResult {
  const problems = clusters.flatMap(({ metadata: { name }, status }) => {
    const current = status?.conditions?.find(({ type }) => type === 'OutputsCurrent');
    if (current === undefined) return [`${name}: not known: the server has not reported on it yet`];
    if (current.status === 'True') return [];
    if (current.status === 'Unknown') return [`${name}: not known: ${current.message}`];
    return [current.reason === 'SafeMode' ? `safe mode: ${current.message}` : `${name}: ${current.message}`];
  });
  return {
    name: 'every cluster receives and accepts its outputs',
    problems: [...new Set(problems)],
    hint: 'clusters keep their current objects meanwhile; meshctl explain NAME shows for each object whether it is sent. Where a line says that it is unknown, fix what it names: the server reports the state once the cluster is connected',
  };
}

/**
 * Why the server cannot connect to a cluster by its kubeconfig, or which plugin fails there, and the recommended action.
 */
function unreached(status: KubernetesCluster['status']): string[] {
  return (status?.conditions ?? [])
    .filter(({ reason }) => reason === 'NotReached' || reason === 'NotUsable' || reason === 'PluginFailed')
    .map(({ message }) => message);
}

/** Reasons why the server rejects an agent, or soon will, for certificates of any issuer. */
async function checkCertificates(management: KubeConnection, { namespace, now }: CheckPlan): Promise<CheckResult> {
  const clusters = (await list(management, 'KubernetesCluster', namespace)) as KubernetesCluster[];
  const stored = await new Secrets(management, namespace).read(CERTIFICATES_SECRET);
  const problemOf = (book: CertificateRegistry, { metadata: { name }, spec, status }: KubernetesCluster): string[] => {
    if (book.isClusterRevoked(name) && spec.secretName === undefined)
      return [`${name} was revoked, and has not been registered again or readmitted`];
    const ends = Date.parse(status?.certificateExpiry ?? '');
    if (!(ends - now.getTime() < ENDS_SOON)) return [];
    return [`the certificate of ${name} ${ends < now.getTime() ? 'ended' : 'ends'} at ${status?.certificateExpiry}`];
  };
  const found = (): string[] => {
    try {
      const book = readCertificateBook(stored?.data);
      return clusters.flatMap((cluster) => problemOf(book, cluster));
    } catch (error) {
      return [errorMessage(error)];
    }
  };
  return {
    name: 'the certificates of agents are valid',
    problems: found(),
    hint: 'see the log of the agent for failed renewals; your own issuer renews its certificates itself (relay.clientCertificate). After meshctl cluster revoke: meshctl cluster register, or readmit for certificates of your own issuer',
  };
}

/** Credentials that admit any client that has them. */
async function checkTokens(management: KubeConnection, { namespace }: CheckPlan): Promise<CheckResult> {
  const tokens = (await new Secrets(management, namespace).read(TOKENS_SECRET))?.data ?? {};
  return {
    name: 'every cluster registers with its own token',
    problems: takesSharedToken(tokens)
      ? [
          'the server accepts a token that all clusters share (relay.allowSharedToken): its holder can register every declared cluster that was not registered before',
        ]
      : [],
    hint: 'register clusters with meshctl cluster register, and remove relay.allowSharedToken from the configuration',
  };
}

async function listPolicies(management: KubeConnection): Promise<Policy[]> {
  const policies: Policy[] = [];
  for (const kind of policyKinds) policies.push(...((await list(management, kind)) as Policy[]));
  return policies;
}

function checkAccepted(policies: readonly Policy[]): CheckResult {
  return {
    name: 'every policy is accepted',
    problems: policies.flatMap((policy) => {
      const { metadata, kind, status } = policy;
      const current = status !== undefined && status.observedGeneration >= (metadata.generation ?? 0);
      if (current && status.state === 'ACCEPTED') return [];
      const ref = { kind, cluster: '', namespace: metadata.namespace ?? '', name: metadata.name };
      return [policyLine(ref, current ? status : undefined)];
    }),
    hint: 'meshctl describe policy NAME shows every report, meshctl explain NAME the applied fields',
  };
}

/** Milliseconds for which a policy may be in transit. */
const APPLIED_WITHIN = 10_000;

/** Reasons why a sent policy is not applied. Reasons that apply to a whole cluster are in the lines about clusters. */
const NOT_IN_PLACE: ReadonlySet<string> = new Set([
  'AddressPending',
  'InProgress',
  'ProxiesDisconnected',
  'ProxiesPending',
  'RejectedByProxy',
]);

/** Accepted does not mean applied: an agent or Envoys may be frozen or disconnected. */
function checkApplied(policies: readonly Policy[], { now }: CheckPlan): CheckResult {
  return {
    name: 'every accepted policy is applied',
    problems: policies.flatMap(({ kind, metadata, status }) => {
      const applied = status?.conditions.find(({ type }) => type === 'Applied');
      if (applied === undefined || applied.status === 'True' || !NOT_IN_PLACE.has(applied.reason)) return [];
      if (now.getTime() - Date.parse(applied.lastTransitionTime) < APPLIED_WITHIN) return [];
      return [`${kind} ${metadata.namespace}/${metadata.name}: ${applied.reason}: ${applied.message}`];
    }),
    hint: 'meshctl explain NAME shows each object and cluster where it is not applied; check that agent, or the named proxies',
  };
}

/** Empty if the API server does not serve the kind, which another check reports. */
async function list(
  management: KubeConnection,
  kind: Parameters<typeof meshrelayKind>[0],
  namespace?: string,
): Promise<KubeObject[]> {
  try {
    return await management.objects(meshrelayKind(kind)).list(namespace === undefined ? {} : { namespace });
  } catch (error) {
    if (isKubeError(error, 'RELAY_E_KUBE_NOT_FOUND')) return [];
    throw error;
  }
}
