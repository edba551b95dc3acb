/** What became of a container. */
import type { SchemaNode } from '../object.ts';
import { flag, int32, int64, listBy, listOf, mapOf, mergedBy, quantity, record, text, time } from './build.ts';
import { resourceRequirements } from './core-container.ts';

const resourceHealth = record({ health: text, resourceID: text }, 'resourceID');

const resourceStatus = record({ name: text, resources: listBy(['resourceID'], resourceHealth) }, 'name');

const containerStateRunning = record({ startedAt: time });

const containerStateTerminated = record(
  { containerID: text, exitCode: int32, finishedAt: time, message: text, reason: text, signal: int32, startedAt: time },
  'exitCode',
);

const containerStateWaiting = record({ message: text, reason: text });

const containerState = record({
  running: containerStateRunning,
  terminated: containerStateTerminated,
  waiting: containerStateWaiting,
});

const linuxContainerUser = record({ gid: int64, supplementalGroups: listOf(int64), uid: int64 }, 'gid', 'uid');

const containerUser = record({ linux: linuxContainerUser });

const volumeMountStatus = record(
  { mountPath: text, name: text, readOnly: flag, recursiveReadOnly: text },
  'mountPath',
  'name',
);

/** What became of one container of a pod. */
export const containerStatus: SchemaNode = record(
  {
    allocatedResources: mapOf(quantity),
    allocatedResourcesStatus: mergedBy('name', resourceStatus),
    containerID: text,
    image: text,
    imageID: text,
    lastState: containerState,
    name: text,
    ready: flag,
    resources: resourceRequirements,
    restartCount: int32,
    started: flag,
    state: containerState,
    stopSignal: text,
    user: containerUser,
    volumeMounts: mergedBy('mountPath', volumeMountStatus),
  },
  'image',
  'imageID',
  'name',
  'ready',
  'restartCount',
);
