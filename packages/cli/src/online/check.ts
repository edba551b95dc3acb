/** What `meshctl check` looks at. */
import type { KubeObject, KubernetesCluster, Policy } from '@meshrelay/api';
import { kinds } from '@meshrelay/api';
import type { KubeConnection } from '@meshrelay/kube';
import { CRD, ourKind } from './kinds.ts';

export interface CheckResult {
  readonly name: string;
  /** What is wrong; empty where all is well. */
  readonly problems: readonly string[];
  /** What to do about it. */
  readonly hint: string;
}

/** Checks an installation by its management cluster alone. */
export async function checkInstallation(management: KubeConnection, namespace: string): Promise<CheckResult[]> {
  return [await checkCrds(management), await checkClusters(management, namespace), await checkPolicies(management)];
}

async function checkCrds(management: KubeConnection): Promise<CheckResult> {
  const served = new Set((await management.objects(CRD).list()).map(({ metadata }) => metadata.name));
  const missing = kinds.map(({ plural, group }) => `${plural}.${group}`).filter((name) => !served.has(name));
  return {
    name: 'the custom resource definitions are installed',
    problems: missing.map((name) => `${name} is missing`),
    hint: 'install them: kubectl apply -f the files of @meshrelay/api/crds',
  };
}

async function checkClusters(management: KubeConnection, namespace: string): Promise<CheckResult> {
  const clusters = (await management.objects(ourKind('KubernetesCluster')).list({ namespace })) as KubernetesCluster[];
  const none = clusters.length === 0 ? ['no cluster is registered'] : [];
  return {
    name: 'the agent of every registered cluster is connected',
    problems: [
      ...none,
      ...clusters
        .filter(({ status }) => status?.state !== 'CONNECTED' && status?.state !== 'SUSPENDED')
        .map(({ metadata, status }) => `${metadata.name} is ${status?.state ?? 'not seen by the server yet'}`),
    ],
    hint: 'register a cluster by meshctl cluster register; the logs of its agent say why it does not connect',
  };
}

async function checkPolicies(management: KubeConnection): Promise<CheckResult> {
  const policies: Policy[] = [];
  for (const kind of ['VirtualMesh', 'TrafficPolicy', 'AccessPolicy'] as const)
    policies.push(...((await management.objects(ourKind(kind)).list()) as KubeObject[] as Policy[]));
  return {
    name: 'every policy is accepted',
    problems: policies.flatMap((policy) => {
      const { metadata, kind, status } = policy;
      const current = status !== undefined && status.observedGeneration >= (metadata.generation ?? 0);
      if (current && status.state === 'ACCEPTED') return [];
      const why =
        status?.reports[0]?.message ?? status?.targets.find(({ reports }) => reports.length > 0)?.reports[0]?.message;
      return [
        `${kind} ${metadata.namespace}/${metadata.name} is ${current ? status.state : 'not judged yet'}${why === undefined ? '' : `: ${why}`}`,
      ];
    }),
    hint: 'kubectl describe the policy: its status has every report',
  };
}
