/**
 * Implements the online commands. Loaded on demand: the Kubernetes client is large, and offline commands do not need
 * it.
 */
import process from 'node:process';
import type { KnownFleet } from '../describe/known-fleet.ts';
import type { Component } from '../install/chart.ts';
import { format, isTable, type ListFormat, type OutputFormat } from '../output/format.ts';
import { type Column, listText } from '../output/list.ts';
import { plain } from '../output/plain.ts';
import { InputError } from '../problem.ts';
import { type ApproveOptions, approveHeld, listHeld } from './approve.ts';
import { type CheckResult, checkInstallation } from './check.ts';
import { confirm } from './confirm.ts';
import { deregisterCluster } from './deregister.ts';
import type { DeregisterMode } from './deregister-mode.ts';
import { readFleet } from './fleet.ts';
import { refuseUnknownCluster } from './known-cluster.ts';
import { listClusters } from './list-clusters.ts';
import { type ManagementOptions, managementOf, managementTarget, reported } from './management.ts';
import { readmitCluster, revokeCluster } from './revoke-cluster.ts';
import { abortRotation, rotateCa } from './rotate-ca.ts';
import { otherHolds, pauseFleet, setOnCluster } from './steer.ts';
import { declareToken, listTokens, revokeTokens, type TokenLine, type TokenPlace } from './tokens.ts';

export interface TokenCreateOptions extends ManagementOptions {
  /** Milliseconds; default: one hour, or ninety days for a long-lived token. */
  readonly ttl?: number;
  readonly replace?: boolean;
  readonly longLived?: boolean;
  readonly output: OutputFormat;
}

export interface TokenListOptions extends ManagementOptions {
  readonly output: ListFormat;
}

const TOKEN_COLUMNS: ReadonlyArray<Column<TokenLine>> = [
  { header: 'ID', cell: ({ id }) => id },
  { header: 'CLUSTER', cell: ({ cluster }) => cluster },
  { header: 'KIND', cell: ({ kind }) => kind },
  { header: 'STATE', cell: ({ state }) => state },
  { header: 'EXPIRES', cell: ({ expiresAt }) => expiresAt },
];

export interface RotateCaOptions extends ManagementOptions {
  readonly abort?: boolean;
  readonly without: readonly string[];
  /** Milliseconds. */
  readonly timeout: number;
}

export interface ListOptions extends ManagementOptions {
  readonly output: ListFormat;
}

export function list({ output, ...options }: ListOptions): Promise<void> {
  return reported(async () => {
    await using management = managementOf(options);
    await listClusters(management, options.namespace, output);
  });
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
    process.stdout.write(output === 'table' ? `${token}\n` : format({ cluster, token }, output));
  });
}

export function tokens(cluster: string | undefined, options: TokenListOptions): Promise<void> {
  return inManagement(options, async (place) => {
    const items = await listTokens(place, cluster);
    process.stdout.write(
      items.length === 0 && isTable(options.output)
        ? 'no tokens\n'
        : listText({ items, columns: TOKEN_COLUMNS, name: ({ id }) => id }, options.output),
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

async function doCheck({ output, ...options }: CheckOptions): Promise<void> {
  await using management = managementOf(options);
  const { pre, namespace } = options;
  const results =
    pre === undefined
      ? await checkInstallation(management, { namespace, now: new Date() })
      : await (await import('../install/check-pre.ts')).checkPre(pre, managementTarget(management, options));
  if (results.some(({ problems }) => problems.length > 0)) process.exitCode = 2;
  process.stdout.write(output === 'table' ? results.map(resultText).join('') : format(results, output));
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
