/** Pods as the API server sends them: the fields that running them as processes needs. */

export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
    readonly deletionGracePeriodSeconds?: number;
  };
  readonly spec: {
    readonly nodeName?: string;
    readonly serviceAccountName?: string;
    readonly dnsPolicy?: string;
    readonly terminationGracePeriodSeconds?: number;
    readonly securityContext?: SecurityContext;
    readonly initContainers?: readonly Container[];
    readonly containers: readonly Container[];
    readonly volumes?: readonly Volume[];
  };
  readonly status?: { readonly conditions?: readonly Condition[]; readonly startTime?: string };
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
}

export interface SecurityContext {
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  readonly readOnlyRootFilesystem?: boolean;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly env?: readonly EnvironmentVariable[];
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly securityContext?: SecurityContext;
  readonly volumeMounts?: readonly VolumeMount[];
}

export interface EnvironmentVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: { readonly fieldPath: string };
    readonly secretKeyRef?: { readonly name: string; readonly key: string };
    readonly configMapKeyRef?: { readonly name: string; readonly key: string };
  };
}

export interface Probe {
  readonly httpGet?: { readonly path?: string; readonly port: number | string };
  readonly tcpSocket?: { readonly port: number | string };
  readonly periodSeconds?: number;
  readonly timeoutSeconds?: number;
  readonly failureThreshold?: number;
}

export interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly subPath?: string;
  readonly readOnly?: boolean;
}

export interface Items {
  readonly items?: readonly { readonly key: string; readonly path: string }[];
}

export interface Volume {
  readonly name: string;
  readonly emptyDir?: object;
  readonly configMap?: Items & { readonly name: string };
  readonly secret?: Items & { readonly secretName: string };
  readonly projected?: { readonly sources: readonly ProjectedSource[] };
}

export interface ProjectedSource {
  readonly serviceAccountToken?: {
    readonly path: string;
    readonly audience?: string;
    readonly expirationSeconds?: number;
  };
  readonly configMap?: Items & { readonly name: string };
  readonly secret?: Items & { readonly name: string };
  readonly downwardAPI?: {
    readonly items: readonly { readonly path: string; readonly fieldRef: { readonly fieldPath: string } }[];
  };
}

/** `NAMESPACE/NAME`, for messages and folders. */
export function nameOf({ metadata: { namespace, name } }: Pod): string {
  return `${namespace}/${name}`;
}

/** The value of a field that the downward API offers. @throws Error for another field */
export function downwardField(pod: Pod, address: string, fieldPath: string): string {
  const label = /^metadata\.labels\['(.+)'\]$/.exec(fieldPath)?.[1];
  if (label !== undefined) return pod.metadata.labels?.[label] ?? '';
  const values: Readonly<Record<string, string | undefined>> = {
    'metadata.name': pod.metadata.name,
    'metadata.namespace': pod.metadata.namespace,
    'metadata.uid': pod.metadata.uid,
    'spec.nodeName': pod.spec.nodeName,
    'spec.serviceAccountName': pod.spec.serviceAccountName,
    'status.podIP': address,
  };
  const value = values[fieldPath];
  if (value === undefined)
    throw new Error(`pod ${nameOf(pod)}: field ${fieldPath} is not supported; add it to e2e/clusters/processes/pod.ts`);
  return value;
}
