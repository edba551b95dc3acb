/** Node. */
import type { SchemaNode } from '../object.ts';
import { flag, int32, int64, listOf, mapOf, mergedBy, patched, quantity, record, setOf, text, time } from './build.ts';
import { kind } from './meta.ts';

const configMapNodeConfigSource = record(
  { kubeletConfigKey: text, name: text, namespace: text, resourceVersion: text, uid: text },
  'kubeletConfigKey',
  'name',
  'namespace',
);

const nodeConfigSource = record({ configMap: configMapNodeConfigSource });

const taint = record({ effect: text, key: text, timeAdded: time, value: text }, 'effect', 'key');

const nodeSpec = record({
  configSource: nodeConfigSource,
  externalID: text,
  podCIDR: text,
  podCIDRs: patched(setOf(text), 'merge'),
  providerID: text,
  taints: listOf(taint),
  unschedulable: flag,
});

const nodeAddress = record({ address: text, type: text }, 'address', 'type');

const nodeCondition = record(
  { lastHeartbeatTime: time, lastTransitionTime: time, message: text, reason: text, status: text, type: text },
  'status',
  'type',
);

const nodeConfigStatus = record({
  active: nodeConfigSource,
  assigned: nodeConfigSource,
  error: text,
  lastKnownGood: nodeConfigSource,
});

const daemonEndpoint = record({ Port: int32 }, 'Port');

const nodeDaemonEndpoints = record({ kubeletEndpoint: daemonEndpoint });

const nodeFeatures = record({ supplementalGroupsPolicy: flag });

const containerImage = record({ names: listOf(text), sizeBytes: int64 });

const nodeSwapStatus = record({ capacity: int64 });

const nodeSystemInfo = record(
  {
    architecture: text,
    bootID: text,
    containerRuntimeVersion: text,
    kernelVersion: text,
    kubeProxyVersion: text,
    kubeletVersion: text,
    machineID: text,
    operatingSystem: text,
    osImage: text,
    swap: nodeSwapStatus,
    systemUUID: text,
  },
  'architecture',
  'bootID',
  'containerRuntimeVersion',
  'kernelVersion',
  'kubeProxyVersion',
  'kubeletVersion',
  'machineID',
  'operatingSystem',
  'osImage',
  'systemUUID',
);

const nodeRuntimeHandlerFeatures = record({ recursiveReadOnlyMounts: flag, userNamespaces: flag });

const nodeRuntimeHandler = record({ features: nodeRuntimeHandlerFeatures, name: text });

const attachedVolume = record({ devicePath: text, name: text }, 'devicePath', 'name');

const nodeStatus = record({
  addresses: mergedBy('type', nodeAddress),
  allocatable: mapOf(quantity),
  capacity: mapOf(quantity),
  conditions: mergedBy('type', nodeCondition),
  config: nodeConfigStatus,
  daemonEndpoints: nodeDaemonEndpoints,
  features: nodeFeatures,
  images: listOf(containerImage),
  nodeInfo: nodeSystemInfo,
  phase: text,
  runtimeHandlers: listOf(nodeRuntimeHandler),
  volumesAttached: listOf(attachedVolume),
  volumesInUse: listOf(text),
});

/** v1 Node. */
export const node: SchemaNode = kind({ spec: nodeSpec, status: nodeStatus });
