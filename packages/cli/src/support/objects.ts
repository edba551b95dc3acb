/** Objects of Kubernetes as a support bundle has them: chosen fields only. */
import type { KubeObject } from '@meshrelay/api';
import { POD, type ResourceKind } from '@meshrelay/relay-core';
import {
  redactArguments,
  redactData,
  redactMetadata,
  redactSettings,
  redactVariable,
  sizesOf,
  type Variable,
} from './redact.ts';

export interface SupportKind {
  readonly kind: ResourceKind;
  readonly show: (object: KubeObject) => unknown;
}

type Fields = Readonly<Record<string, unknown>>;

interface Container extends Fields {
  readonly name: string;
  readonly args?: readonly string[];
  readonly command?: readonly string[];
  readonly env?: readonly Variable[];
}

interface PodSpec extends Fields {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
}

interface Pod extends KubeObject {
  readonly spec: PodSpec;
  readonly status?: Fields & {
    readonly containerStatuses?: ReadonlyArray<{ readonly name: string; readonly restartCount?: number }>;
  };
}

interface WithData extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}

/** The kinds in the namespace of Meshrelay that a support bundle lists. */
export const SUPPORT_KINDS: readonly SupportKind[] = [
  { kind: POD, show: (object) => podOf(object as Pod) },
  kindOf('apps', 'Deployment', 'deployments', deploymentOf),
  kindOf('', 'Service', 'services', (object) => parts(object, ['spec', 'status'])),
  kindOf('', 'ConfigMap', 'configmaps', (object) => configMapOf(object as WithData)),
  kindOf('', 'Secret', 'secrets', (object) => secretOf(object as WithData)),
  kindOf('', 'Event', 'events', (object) =>
    parts(object, ['type', 'reason', 'message', 'involvedObject', 'count', 'firstTimestamp', 'lastTimestamp']),
  ),
  kindOf('coordination.k8s.io', 'Lease', 'leases', (object) => parts(object, ['spec'])),
  kindOf('policy', 'PodDisruptionBudget', 'poddisruptionbudgets', (object) => parts(object, ['spec', 'status'])),
  kindOf('autoscaling', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers', (object) =>
    parts(object, ['spec', 'status']),
  ),
  kindOf('networking.k8s.io', 'NetworkPolicy', 'networkpolicies', (object) => parts(object, ['spec'])),
];

/** The containers of a pod, and whether each has run before. */
export function containersOf(
  object: KubeObject,
): ReadonlyArray<{ readonly name: string; readonly restarted: boolean }> {
  const { spec, status } = object as Pod;
  const restarts = new Map((status?.containerStatuses ?? []).map(({ name, restartCount = 0 }) => [name, restartCount]));
  return [...(spec.initContainers ?? []), ...spec.containers].map(({ name }) => ({
    name,
    restarted: (restarts.get(name) ?? 0) > 0,
  }));
}

function kindOf(group: string, kind: string, plural: string, show: SupportKind['show']): SupportKind {
  return {
    kind: { group, version: group === 'autoscaling' ? 'v2' : 'v1', kind, plural, namespaced: true },
    show,
  };
}

/** Some fields of an object, redacted. */
function parts(object: KubeObject, names: readonly string[]): object {
  const fields = object as unknown as Fields;
  const chosen = Object.fromEntries(names.flatMap((name) => (name in fields ? [[name, fields[name]]] : [])));
  return { metadata: redactMetadata(object.metadata), ...(redactData(chosen) as object) };
}

function secretOf({ metadata, type, data }: WithData): object {
  return { metadata: redactMetadata(metadata), type, data: sizesOf(data) };
}

/** With the configuration of a program of Meshrelay. */
function configMapOf({ metadata, data = {}, binaryData }: WithData): object {
  const isOwn = metadata.labels?.['app.kubernetes.io/part-of'] === 'meshrelay';
  const settings = Object.entries(data).filter(([name]) => isOwn && name.endsWith('.yaml'));
  return {
    metadata: redactMetadata(metadata),
    data: sizesOf(data),
    binaryData: sizesOf(binaryData),
    settings: Object.fromEntries(settings.map(([name, text]) => [name, redactSettings(text)])),
  };
}

function podOf({ metadata, spec, status = {} }: Pod): object {
  return { metadata: redactMetadata(metadata), spec: podSpecOf(spec), status: redactData(status) };
}

function deploymentOf(object: KubeObject): object {
  const { metadata, spec, status } = object as KubeObject & {
    readonly spec: Fields & {
      readonly template: { readonly metadata?: KubeObject['metadata']; readonly spec: PodSpec };
    };
    readonly status?: Fields;
  };
  const { replicas, selector, strategy, template } = spec;
  return {
    metadata: redactMetadata(metadata),
    spec: {
      replicas,
      selector,
      strategy,
      template: {
        metadata: template.metadata === undefined ? undefined : redactMetadata(template.metadata),
        spec: podSpecOf(template.spec),
      },
    },
    status: redactData(status),
  };
}

/** Without probes and hooks, which may contain commands and headers. */
function podSpecOf({ nodeName, serviceAccountName, priorityClassName, securityContext, ...spec }: PodSpec): object {
  const volumes = spec['volumes'] as readonly Fields[] | undefined;
  return {
    nodeName,
    serviceAccountName,
    priorityClassName,
    securityContext,
    containers: spec.containers.map(containerOf),
    initContainers: (spec.initContainers ?? []).map(containerOf),
    // A volume may contain text of its own, as downward API items do.
    volumes: volumes?.map((volume) => ({
      name: volume['name'],
      type: Object.keys(volume).find((key) => key !== 'name'),
    })),
  };
}

function containerOf({ name, image, args, command, env = [], resources, ports, volumeMounts }: Container): object {
  return {
    name,
    image,
    command: command === undefined ? undefined : redactArguments(command),
    args: args === undefined ? undefined : redactArguments(args),
    env: env.map(redactVariable),
    resources,
    ports,
    volumeMounts,
  };
}
