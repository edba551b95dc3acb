/** Every replica: serves the proxies of its cluster. */
import { watchLog } from '@meshrelay/cluster-controllers';
import { watchKind } from '@meshrelay/kube';
import { ACCESS_LOG_CONFIG, type LoadedPlugin, OWNER_LABEL, POD } from '@meshrelay/relay-core';
import type { AgentContext } from '../agent-context.ts';
import { LogExports } from '../data-plane/access-log/log-exports.ts';
import { RetentionRules } from '../data-plane/access-log/retention-rules.ts';
import { seenPod } from '../data-plane/attribution/seen-pod.ts';
import { EnvoyConfiguration } from '../data-plane/configuration/envoy-configuration.ts';
import { configuresEnvoys } from '../data-plane/configures-envoys.ts';
import { listenFor } from '../data-plane/listen.ts';
import { dataPlaneMetrics } from '../status/data-plane-metrics.ts';
import { wasmModules } from '../wasm/wasm-modules.ts';

export interface RunningDataPlane extends AsyncDisposable {
  /** Configuration of Envoys; undefined if no mesh of this cluster takes its configuration from this agent. */
  readonly envoys: EnvoyConfiguration | undefined;
}

export async function startDataPlane(context: AgentContext): Promise<RunningDataPlane> {
  const { config, connection, plugins, clock, now, replica, dataPlane, status, metrics } = context;
  const logger = context.logger.child('data-plane');
  await using work = new AsyncDisposableStack();
  work.use(dataPlane);
  work.use(
    watchKind(connection, POD, dataPlane.pods, { clock, transform: seenPod, observer: watchLog(logger, POD.kind) }),
  );
  status.logExports = work.use(new LogExports(dataPlane.sink, config.accessLogs.export, logger));
  if (plugins.some(sendsLogs)) {
    const retained = new RetentionRules({
      onUnfit: (object, rule, error) =>
        logger.warn('the proxies evaluate a regular expression that the agent does not support', {
          object,
          rule,
          error: error.message,
        }),
    });
    dataPlane.rulesFor = (reporter) => retained.rulesFor(reporter);
    const labelSelector = `${OWNER_LABEL}=${config.managementNamespace}`;
    const observer = watchLog(logger, ACCESS_LOG_CONFIG.kind);
    work.use(watchKind(connection, ACCESS_LOG_CONFIG, retained, { clock, labelSelector, observer }));
  }
  const configures = plugins.some(configuresEnvoys);
  if (configures) work.use(wasmModules(dataPlane, config.wasm, { ...context, logger: context.logger.child('wasm') }));
  const leads = (): boolean => status.term !== undefined;
  const envoys = configures
    ? work.use(new EnvoyConfiguration({ config, connection, replica, leads, clock, now, logger }, dataPlane))
    : undefined;
  status.envoys = envoys;
  const counters = dataPlaneMetrics(metrics, { plane: dataPlane, status });
  const secure = envoys && { services: [envoys.service], certificate: () => envoys.certificate.current };
  status.dataPlane = work.use(
    await listenFor(dataPlane, { listen: config.dataPlane.listen, logger, secure, onRefused: counters.refused }),
  );
  const running = work.move();
  return { envoys, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Whether proxies of a plugin's mesh can be configured to send their access logs here. */
function sendsLogs({ plugin }: LoadedPlugin): boolean {
  return plugin.writes.some(({ group, kind }) => group === ACCESS_LOG_CONFIG.group && kind === ACCESS_LOG_CONFIG.kind);
}
