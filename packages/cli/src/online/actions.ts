/**
 * Implements the online commands. Loaded on demand: the Kubernetes client is large, and offline commands do not need
 * it.
 */
import process from 'node:process';
import type { Condition, KubernetesCluster } from '@meshrelay/api';
import { meshrelayKind } from '@meshrelay/kube';
import type { KnownFleet } from '../describe/known-fleet.ts';
import type { Component } from '../install/chart.ts';
import { format, type OutputFormat } from '../output/format.ts';
import { plain } from '../output/plain.ts';
import { table } from '../output/table.ts';
import { InputError } from '../problem.ts';
import { type ApproveOptions, approveHeld, listHeld } from './approve.ts';
import { type CheckResult, checkInstallation } from './check.ts';
import { confirm } from './confirm.ts';
import { deregisterCluster } from './deregister.ts';
import type { DeregisterMode } from './deregister-mode.ts';
import { readFleet } from './fleet.ts';
import { refuseUnknownCluster } from './known-cluster.ts';
import { type ManagementOptions, managementOf, managementTarget, reported } from './management.ts';
import { readmitCluster, revokeCluster } from './revoke-cluster.ts';
import { abortRotation, rotateCa } from './rotate-ca.ts';
import { notKnown, type ServerProblem, serverProblem } from './server-lease.ts';
import { otherHolds, pauseFleet, setOnCluster } from './steer.ts';
import { declareToken, listTokens, revokeTokens, type TokenPlace } from './tokens.ts';

export interface TokenCreateOptions extends ManagementOptions {
  /** Milliseconds; default: one hour, or ninety days for a long-lived token. */
  readonly ttl?: number;
  readonly replace?: boolean;
  readonly longLived?: boolean;
  readonly output: OutputFormat;
}

export interface TokenListOptions extends ManagementOptions {
  readonly output: OutputFormat;
}

export interface RotateCaOptions extends ManagementOptions {
  readonly abort?: boolean;
  readonly without: readonly string[];
  /** Milliseconds. */
  readonly timeout: number;
}

export function list(options: ManagementOptions): Promise<void> {
  return reported(() => doList(options));
}

export interface CheckOptions extends ManagementOptions {
  /** What is to be installed; omitted: checks an installation. */
  readonly pre?: Component;
  readonly output: OutputFormat;
}

export function check(options: CheckOptions): Promise<void> {
  return reported(() => doCheck(options));
}

export interface DeregisterOptions extends ManagementOptions {
  readonly mode: DeregisterMode;
  readonly yes?: boolean;
  /** Milliseconds. */
  readonly timeout: number;
}

/** Suspends or resumes a cluster. */
export function suspend(name: string, suspended: boolean, options: ManagementOptions): Promise<void> {
  return inManagement(options, async (place) => {
    const changed = await setOnCluster(place, name, { suspended });
    const state = suspended ? 'suspended' : 'not suspended';
    process.stdout.write(`${name} is ${changed ? '' : 'already '}${state}${changed ? ' now' : ''}\n`);
    if (!suspended) await reportHolds(place, name, 'suspended');
  });
}

/** Pauses or unpauses the outputs of one cluster or of all. */
export function pause(name: string | undefined, paused: boolean, options: ManagementOptions): Promise<void> {
  return inManagement(options, async (place) => {
    const changed = name === undefined ? await pauseFleet(place, paused) : await setOnCluster(place, name, { paused });
    const whose = name === undefined ? 'the outputs of all clusters are' : `the outputs of ${name} are`;
    const state = paused ? 'paused' : 'not paused';
    process.stdout.write(`${whose} ${changed ? '' : 'already '}${state}${changed ? ' now' : ''}\n`);
    if (!paused && name !== undefined) await reportHolds(place, name, 'paused');
  });
}

async function reportHolds(place: TokenPlace, name: string, ended: 'paused' | 'suspended'): Promise<void> {
  for (const hold of await otherHolds(place, name, ended)) process.stdout.write(`${hold}\n`);
}

/** Ends the registration of a cluster. */
export function deregister(
  cluster: string,
  { mode, timeout, yes: confirmed = false, ...options }: DeregisterOptions,
): Promise<void> {
  return inManagement(options, async (place) => {
    const step = (text: string): void => void process.stdout.write(`  ✓ ${text}\n`);
    const left = await deregisterCluster({
      ...place,
      cluster,
      mode,
      timeout,
      step,
      confirm: (lines) => confirm({ lines, what: `end the registration of ${cluster}`, confirmed }),
    });
    process.stdout.write(`${left.join('\n')}\n`);
  });
}

export function revoke(name: string, options: ManagementOptions): Promise<void> {
  return inManagement(options, async (place) => {
    const isRegistered = await refuseUnknownCluster(place, name);
    const { certificates } = await revokeCluster(place, name);
    const good = certificates === 1 ? '1 certificate that was' : `${certificates} certificates that were`;
    process.stdout.write(
      `${name} is revoked: ${good} still valid, and every token\nto connect it again, run meshctl cluster register ${name}; for certificates of your own issuer, meshctl cluster readmit ${name}\n`,
    );
    if (certificates === 0 && !isRegistered)
      process.stderr.write(
        `${name} has no valid certificate or token and is not registered; meshctl cluster list shows the registered clusters\n`,
      );
  });
}

/** Accepts certificates of a revoked cluster again if an external issuer creates them. */
export function readmit(name: string, options: ManagementOptions): Promise<void> {
  return inManagement(options, async (place) => {
    await refuseUnknownCluster(place, name);
    const changed = await readmitCluster(place, name);
    process.stdout.write(
      changed
        ? `${name} is readmitted, with certificates issued after its revocation\n`
        : `${name} was not revoked, or was registered since; nothing to do\n`,
    );
  });
}

export function rotate(options: RotateCaOptions): Promise<void> {
  const { abort = false, without, timeout } = options;
  return inManagement(options, async (place) => {
    const step = (text: string): void => void process.stdout.write(`  ✓ ${text}\n`);
    await (abort ? abortRotation : rotateCa)({ ...place, without, timeout, step });
  });
}

export function createTokenFor(cluster: string, options: TokenCreateOptions): Promise<void> {
  const { replace = false, longLived = false, output } = options;
  const lifetime = options.ttl ?? (longLived ? 90 * 24 : 1) * 3_600_000;
  return inManagement(options, async (place) => {
    const token = (await declareToken({ ...place, cluster, lifetime, replace, longLived })).reveal();
    process.stdout.write(output === 'text' ? `${token}\n` : format({ cluster, token }, output));
  });
}

export function tokens(cluster: string | undefined, options: TokenListOptions): Promise<void> {
  return inManagement(options, async (place) => {
    const lines = await listTokens(place, cluster);
    const rows = lines.map(({ id, cluster: of, kind, state, expiresAt }) => [id, of, kind, state, expiresAt]);
    process.stdout.write(
      options.output !== 'text'
        ? format(lines, options.output)
        : lines.length === 0
          ? 'no tokens\n'
          : table(['ID', 'CLUSTER', 'KIND', 'STATE', 'EXPIRES'], rows),
    );
  });
}

export function revokeTokensOf(name: string, options: ManagementOptions): Promise<void> {
  return inManagement(options, async (place) => {
    const count = await revokeTokens(place, name);
    process.stdout.write(`revoked; ${count} of the tokens ${count === 1 ? 'was' : 'were'} still valid\n`);
  });
}

/** Runs an action with the management cluster. */
function inManagement(options: ManagementOptions, action: (place: TokenPlace) => Promise<void>): Promise<void> {
  return reported(async () => {
    await using management = managementOf(options);
    await action({ management, namespace: options.namespace, now: () => new Date() });
  });
}

/** Lists held deletions, or approves those of one cluster. */
export function approve(cluster: string | undefined, options: ApproveOptions): Promise<void> {
  return reported(async () => {
    await using management = managementOf(options);
    if (options.list === true) return await listHeld(management, options.namespace, cluster);
    if (cluster === undefined)
      throw new InputError('give a cluster; meshctl approve --list shows clusters with held deletions');
    await approveHeld(management, cluster, options);
  });
}

/** The fleet from the management cluster's objects. */
export function known(options: ManagementOptions): Promise<KnownFleet> {
  return reported(async () => {
    await using management = managementOf(options);
    return await readFleet(management, options.namespace);
  });
}

async function doList(options: ManagementOptions): Promise<void> {
  await using management = managementOf(options);
  const { namespace } = options;
  const clusters = (await management
    .objects(meshrelayKind('KubernetesCluster'))
    .list({ namespace })) as KubernetesCluster[];
  if (clusters.length === 0) {
    process.stdout.write(`no cluster is registered in namespace ${namespace}\n`);
    return;
  }
  const problem = await serverProblem(management, { namespace, now: new Date() });
  const shown = problem === undefined ? clusters : clusters.map((cluster) => asLastKnown(cluster, problem));
  const rows = shown.map(({ metadata, status }) => [
    metadata.name,
    status?.state ?? 'UNKNOWN',
    outputsOf(status),
    replicaOf(status),
    status?.inputVersion ?? '-',
    lagOf(status),
    status?.lastConnectedTime ?? '-',
    status?.firstSyncTime ?? '-',
  ]);
  const head = ['NAME', 'STATE', 'OUTPUTS', 'REPLICA', 'INPUTS', 'LAG', 'LAST CONNECTED', 'FIRST SYNCED'];
  process.stdout.write(table(head, rows));
  process.stdout.write(shown.flatMap(problemLines).join(''));
  if (problem === undefined) return;
  process.stdout.write(`the state of clusters is ${notKnown(problem)}: ${problem.message}\n`);
  process.exitCode = 2;
}

/** The status as the last running server left it; the current state of the cluster is unknown. */
function asLastKnown({ status, ...cluster }: KubernetesCluster, { until }: ServerProblem): KubernetesCluster {
  const {
    connectedReplica,
    lastReplica = connectedReplica,
    inputVersion,
    firstSyncTime,
    lastConnectedTime,
  } = status ?? {};
  const heard = connectedReplica === undefined ? lastConnectedTime : until;
  return {
    ...cluster,
    status: {
      state: 'UNKNOWN',
      ...(lastReplica === undefined ? {} : { lastReplica }),
      ...(inputVersion === undefined ? {} : { inputVersion }),
      ...(heard === undefined ? {} : { lastConnectedTime: heard }),
      ...(firstSyncTime === undefined ? {} : { firstSyncTime }),
    },
  };
}

/** Whether the cluster receives and accepts its outputs, else why not. */
function outputsOf(status: KubernetesCluster['status']): string {
  const current = status?.conditions?.find(({ type }) => type === 'OutputsCurrent');
  return current?.status === 'True' ? 'current' : (current?.reason ?? '-');
}

/** In brackets if it is the last replica, and the agent is not connected now. */
function replicaOf(status: KubernetesCluster['status']): string {
  const { connectedReplica, lastReplica } = status ?? {};
  return connectedReplica ?? (lastReplica === undefined ? '-' : `(${lastReplica})`);
}

/** The larger lag of both directions. */
function lagOf(status: KubernetesCluster['status']): string {
  const { lag, inputLag } = status ?? {};
  if (lag === undefined && inputLag === undefined) return '-';
  return `${lag ?? '0s'} out, ${inputLag ?? '0s'} in`;
}

/** Problems of the cluster, one line each. */
function problemLines({ metadata, status }: KubernetesCluster): string[] {
  const bad = (status?.conditions ?? []).filter(isProblem);
  return bad.map(
    ({ type, status: is, reason, message }) => `${metadata.name}: ${type}=${is} ${reason}: ${plain(message)}\n`,
  );
}

/** Conditions that are unknown only because the connection of the agent is unknown are not listed. */
function isProblem({ type, status }: Condition): boolean {
  return status === 'False' || (status === 'Unknown' && type === 'Connected');
}

async function doCheck({ output, ...options }: CheckOptions): Promise<void> {
  await using management = managementOf(options);
  const { pre, namespace } = options;
  const results =
    pre === undefined
      ? await checkInstallation(management, { namespace, now: new Date() })
      : await (await import('../install/check-pre.ts')).checkPre(pre, managementTarget(management, options));
  if (results.some(({ problems }) => problems.length > 0)) process.exitCode = 2;
  process.stdout.write(output === 'text' ? results.map(resultText).join('') : format(results, output));
}

function resultText({ name, notes = [], problems, hint }: CheckResult): string {
  const lines = [
    `${problems.length === 0 ? '✓' : '✗'} ${name}`,
    ...notes.map((note) => `    ${plain(note)}`),
    ...problems.map((problem) => `    - ${plain(problem)}`),
    ...(problems.length === 0 ? [] : [`    hint: ${hint}`]),
  ];
  return `${lines.join('\n')}\n`;
}
