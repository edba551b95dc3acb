/**
 * Controller of the Lease holder that writes the status of Settings: whether they are effective, and which of their
 * fields have no effect.
 */
import type { Report, SettingsStatus } from '@meshrelay/api';
import { type KubeConnection, meshrelayKind, type ObjectKey, type StatusWriter } from '@meshrelay/kube';
import { type ChangeSet, type LoadedPlugin, SETTINGS_KEY, settingsReports } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import type { LiveObject } from '../input/kind-input.ts';
import type { ManagementInputs } from '../input/management.ts';
import type { Fleet } from '../store/fleet.ts';
import { managementStatusWriter } from './management-status-writer.ts';

export interface SettingsControllerOptions {
  readonly connection: KubeConnection;
  readonly plugins: readonly LoadedPlugin[];
  readonly fleet: Pick<Fleet, 'fleetState' | 'controlPlane'>;
  readonly management: Pick<ManagementInputs, 'settings' | 'registryKnown'>;
  readonly logger: Logger;
}

const SETTINGS = meshrelayKind('Settings');

export class SettingsController implements AsyncDisposable {
  readonly #options: SettingsControllerOptions;
  readonly #writer: StatusWriter;
  #evaluated: unknown;

  constructor(options: SettingsControllerOptions) {
    const { connection, logger } = options;
    this.#options = options;
    this.#writer = managementStatusWriter(connection, logger);
    this.#verify();
  }

  /** A commit of the graph has finished. */
  changed(changes: ChangeSet): void {
    const { fleetState, controlPlane } = this.#options.fleet;
    const sources = [fleetState.settings, fleetState.clusters, controlPlane.resolved.settingsNotes];
    if (sources.some((source) => changes.of<unknown>(source).length > 0)) this.#verify();
  }

  /** State outside the graph may have changed, such as an object that does not count. */
  moved(): void {
    if (this.#evaluated !== this.#options.management.settings.version) this.#verify();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#writer[Symbol.asyncDispose]();
  }

  #verify(): void {
    const { settings, registryKnown } = this.#options.management;
    // Before all clusters are synced, clusters named by settings would seem not to be registered.
    if (!registryKnown) return;
    this.#evaluated = settings.version;
    for (const [where, live] of settings.objects()) {
      const status: SettingsStatus = statusOf(live, this.#reports(where, live));
      this.#writer.set(SETTINGS, where, status, live.status === undefined ? undefined : live);
    }
  }

  #reports({ name }: ObjectKey, { problems }: LiveObject): Report[] {
    if (problems.length > 0)
      return problems.map(({ field, message }) => ({ code: 'INVALID_SCHEMA', severity: 'error', field, message }));
    const { plugins, fleet } = this.#options;
    const effective = fleet.fleetState.settings.get(SETTINGS_KEY);
    const counts = effective?.metadata.name === name;
    const spec = counts ? effective.spec : {};
    const notes = counts
      ? [...fleet.controlPlane.resolved.settingsNotes.entries()].flatMap(([, reports]) => reports)
      : [];
    const clusters = [...fleet.fleetState.clusters.entries()].map(([, facts]) => facts.name);
    return [...settingsReports(name, spec, { plugins, clusters }), ...notes];
  }
}

function statusOf({ generation }: LiveObject, reports: readonly Report[]): SettingsStatus {
  const has = (severity: Report['severity']): boolean => reports.some((report) => report.severity === severity);
  const state = has('error') ? 'INVALID' : has('warning') ? 'DEGRADED' : 'ACCEPTED';
  return { ...(generation === undefined ? {} : { observedGeneration: generation }), state, reports };
}
