/** Pod and the template workloads make pods from. */
import type { SchemaNode } from '../object.ts';
import { objectMetaSchema } from '../schema/object-meta.ts';
import {
  atomic,
  flag,
  int32,
  int64,
  listBy,
  listOf,
  mapOf,
  mergedBy,
  or,
  patched,
  quantity,
  record,
  text,
  textOr,
  time,
} from './build.ts';
import { container, ephemeralContainer, resourceRequirements } from './core-container.ts';
import { containerStatus } from './core-container-status.ts';
import { localObjectReference } from './core-reference.ts';
import { affinity, toleration, topologySpreadConstraint } from './core-scheduling.ts';
import { appArmorProfile, sELinuxOptions, seccompProfile, windowsSecurityContextOptions } from './core-security.ts';
import { volume } from './core-volume.ts';
import { kind } from './meta.ts';

const podDNSConfigOption = record({ name: text, value: text });

const podDNSConfig = record({ nameservers: listOf(text), options: listOf(podDNSConfigOption), searches: listOf(text) });

const hostAlias = record({ hostnames: listOf(text), ip: text }, 'ip');

const podOS = record({ name: text }, 'name');

const podReadinessGate = record({ conditionType: text }, 'conditionType');

const podResourceClaim = record({ name: text, resourceClaimName: text, resourceClaimTemplateName: text }, 'name');

const podSchedulingGate = record({ name: text }, 'name');

const sysctl = record({ name: text, value: text }, 'name', 'value');

const podSecurityContext = record({
  appArmorProfile,
  fsGroup: int64,
  fsGroupChangePolicy: text,
  runAsGroup: int64,
  runAsNonRoot: flag,
  runAsUser: int64,
  seLinuxChangePolicy: text,
  seLinuxOptions: sELinuxOptions,
  seccompProfile,
  supplementalGroups: listOf(int64),
  supplementalGroupsPolicy: text,
  sysctls: listOf(sysctl),
  windowsOptions: windowsSecurityContextOptions,
});

const podSpec = record(
  {
    activeDeadlineSeconds: int64,
    affinity,
    automountServiceAccountToken: flag,
    containers: mergedBy('name', container),
    dnsConfig: podDNSConfig,
    dnsPolicy: textOr('ClusterFirst'),
    enableServiceLinks: flag,
    ephemeralContainers: mergedBy('name', ephemeralContainer),
    hostAliases: mergedBy('ip', hostAlias),
    hostIPC: flag,
    hostNetwork: flag,
    hostPID: flag,
    hostUsers: flag,
    hostname: text,
    hostnameOverride: text,
    imagePullSecrets: mergedBy('name', localObjectReference),
    initContainers: mergedBy('name', container),
    nodeName: text,
    nodeSelector: atomic(mapOf(text)),
    os: podOS,
    overhead: mapOf(quantity),
    preemptionPolicy: text,
    priority: int32,
    priorityClassName: text,
    readinessGates: listOf(podReadinessGate),
    resourceClaims: patched(listBy(['name'], podResourceClaim), 'merge,retainKeys', 'name'),
    resources: resourceRequirements,
    restartPolicy: textOr('Always'),
    runtimeClassName: text,
    schedulerName: textOr('default-scheduler'),
    schedulingGates: mergedBy('name', podSchedulingGate),
    securityContext: or(podSecurityContext, {}),
    serviceAccount: text,
    serviceAccountName: text,
    setHostnameAsFQDN: flag,
    shareProcessNamespace: flag,
    subdomain: text,
    terminationGracePeriodSeconds: or(int64, 30),
    tolerations: listOf(toleration),
    topologySpreadConstraints: patched(
      listBy(['topologyKey', 'whenUnsatisfiable'], topologySpreadConstraint),
      'merge',
      'topologyKey',
    ),
    volumes: patched(listBy(['name'], volume), 'merge,retainKeys', 'name'),
  },
  'containers',
);

/** What a workload makes its pods from. */
export const podTemplateSpec: SchemaNode = record({ metadata: objectMetaSchema, spec: podSpec });

const podCondition = record(
  {
    lastProbeTime: time,
    lastTransitionTime: time,
    message: text,
    observedGeneration: int64,
    reason: text,
    status: text,
    type: text,
  },
  'status',
  'type',
);

const containerExtendedResourceRequest = record(
  { containerName: text, requestName: text, resourceName: text },
  'containerName',
  'requestName',
  'resourceName',
);

const podExtendedResourceClaimStatus = record(
  { requestMappings: listOf(containerExtendedResourceRequest), resourceClaimName: text },
  'requestMappings',
  'resourceClaimName',
);

const hostIP = record({ ip: text }, 'ip');

const podIP = record({ ip: text }, 'ip');

const podResourceClaimStatus = record({ name: text, resourceClaimName: text }, 'name');

const podStatus = record({
  conditions: mergedBy('type', podCondition),
  containerStatuses: listOf(containerStatus),
  ephemeralContainerStatuses: listOf(containerStatus),
  extendedResourceClaimStatus: podExtendedResourceClaimStatus,
  hostIP: text,
  hostIPs: patched(listOf(hostIP), 'merge', 'ip'),
  initContainerStatuses: listOf(containerStatus),
  message: text,
  nominatedNodeName: text,
  observedGeneration: int64,
  phase: text,
  podIP: text,
  podIPs: mergedBy('ip', podIP),
  qosClass: text,
  reason: text,
  resize: text,
  resourceClaimStatuses: patched(listBy(['name'], podResourceClaimStatus), 'merge,retainKeys', 'name'),
  startTime: time,
});

/** v1 Pod. */
export const pod: SchemaNode = kind({ spec: podSpec, status: podStatus });
