/** Containers: what they run, with which environment, ports and resources. */
import type { SchemaNode } from '../object.ts';
import {
  atomic,
  flag,
  int32,
  listBy,
  listOf,
  mapOf,
  mergedBy,
  or,
  patched,
  quantity,
  record,
  setOf,
  text,
  textOr,
} from './build.ts';
import { lifecycle, probe } from './core-probe.ts';
import { objectFieldSelector, resourceFieldSelector } from './core-reference.ts';
import { securityContext } from './core-security.ts';

const configMapKeySelector = atomic(record({ key: text, name: text, optional: flag }, 'key'));

const fileKeySelector = atomic(
  record({ key: text, optional: flag, path: text, volumeName: text }, 'key', 'path', 'volumeName'),
);

const secretKeySelector = atomic(record({ key: text, name: text, optional: flag }, 'key'));

const envVarSource = record({
  configMapKeyRef: configMapKeySelector,
  fieldRef: objectFieldSelector,
  fileKeyRef: fileKeySelector,
  resourceFieldRef: resourceFieldSelector,
  secretKeyRef: secretKeySelector,
});

const envVar = record({ name: text, value: text, valueFrom: envVarSource }, 'name');

const configMapEnvSource = record({ name: text, optional: flag });

const secretEnvSource = record({ name: text, optional: flag });

const envFromSource = record({ configMapRef: configMapEnvSource, prefix: text, secretRef: secretEnvSource });

const containerPort = record(
  { containerPort: int32, hostIP: text, hostPort: int32, name: text, protocol: textOr('TCP') },
  'containerPort',
);

const containerResizePolicy = record({ resourceName: text, restartPolicy: text }, 'resourceName', 'restartPolicy');

const resourceClaim = record({ name: text, request: text }, 'name');

/** What a container asks for and may use at most. */
export const resourceRequirements: SchemaNode = record({
  claims: listBy(['name'], resourceClaim),
  limits: mapOf(quantity),
  requests: mapOf(quantity),
});

const containerRestartRuleOnExitCodes = record({ operator: text, values: setOf(int32) }, 'operator');

const containerRestartRule = record({ action: text, exitCodes: containerRestartRuleOnExitCodes }, 'action');

const volumeDevice = record({ devicePath: text, name: text }, 'devicePath', 'name');

const volumeMount = record(
  {
    mountPath: text,
    mountPropagation: text,
    name: text,
    readOnly: flag,
    recursiveReadOnly: text,
    subPath: text,
    subPathExpr: text,
  },
  'mountPath',
  'name',
);

/** A container of a pod; containers are identified by name. */
export const container: SchemaNode = record(
  {
    args: listOf(text),
    command: listOf(text),
    env: mergedBy('name', envVar),
    envFrom: listOf(envFromSource),
    image: text,
    imagePullPolicy: text,
    lifecycle,
    livenessProbe: probe,
    name: text,
    ports: patched(listBy(['containerPort', 'protocol'], containerPort), 'merge', 'containerPort'),
    readinessProbe: probe,
    resizePolicy: listOf(containerResizePolicy),
    resources: or(resourceRequirements, {}),
    restartPolicy: text,
    restartPolicyRules: listOf(containerRestartRule),
    securityContext,
    startupProbe: probe,
    stdin: flag,
    stdinOnce: flag,
    terminationMessagePath: textOr('/dev/termination-log'),
    terminationMessagePolicy: textOr('File'),
    tty: flag,
    volumeDevices: mergedBy('devicePath', volumeDevice),
    volumeMounts: mergedBy('mountPath', volumeMount),
    workingDir: text,
  },
  'name',
);

/** A container added to a running pod for debugging. */
export const ephemeralContainer: SchemaNode = record(
  {
    args: listOf(text),
    command: listOf(text),
    env: mergedBy('name', envVar),
    envFrom: listOf(envFromSource),
    image: text,
    imagePullPolicy: text,
    lifecycle,
    livenessProbe: probe,
    name: text,
    ports: patched(listBy(['containerPort', 'protocol'], containerPort), 'merge', 'containerPort'),
    readinessProbe: probe,
    resizePolicy: listOf(containerResizePolicy),
    resources: resourceRequirements,
    restartPolicy: text,
    restartPolicyRules: listOf(containerRestartRule),
    securityContext,
    startupProbe: probe,
    stdin: flag,
    stdinOnce: flag,
    targetContainerName: text,
    terminationMessagePath: textOr('/dev/termination-log'),
    terminationMessagePolicy: textOr('File'),
    tty: flag,
    volumeDevices: mergedBy('devicePath', volumeDevice),
    volumeMounts: mergedBy('mountPath', volumeMount),
    workingDir: text,
  },
  'name',
);
