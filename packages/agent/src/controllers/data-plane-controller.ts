/** Every replica: serves the proxies of its cluster. */
import { watchKind } from '@meshrelay/kube';
import { ACCESS_LOG_CONFIG, type LoadedPlugin, OWNER_LABEL, POD } from '@meshrelay/relay-core';
import { LogExports } from '../data-plane/access-log/log-exports.ts';
import { RetentionRules } from '../data-plane/access-log/retention-rules.ts';
import { seenPod } from '../data-plane/attribution/seen-pod.ts';
import { EnvoyConfiguration } from '../data-plane/configuration/envoy-configuration.ts';
import { configuresEnvoys } from '../data-plane/configures-envoys.ts';
import { listenFor } from '../data-plane/listen.ts';
import { watchLog } from '../input/watch-log.ts';
import { dataPlaneMetrics } from '../status/data-plane-metrics.ts';
import { wasmModules } from '../wasm/wasm-modules.ts';
import type { ReplicaController } from './controllers.ts';

export const dataPlaneController: ReplicaController = {
  name: 'data-plane',
  runsOn: 'everyReplica',
  async start(context) {
    const { config, connection, plugins, clock, dataPlane, status, metrics } = context;
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
    const envoys = configures ? work.use(new EnvoyConfiguration(context, dataPlane)) : undefined;
    status.envoys = envoys;
    const counters = dataPlaneMetrics(metrics, { plane: dataPlane, status });
    const secure = envoys && { services: [envoys.service], certificate: () => envoys.certificate.current };
    status.dataPlane = work.use(
      await listenFor(dataPlane, { listen: config.dataPlane.listen, logger, secure, onRefused: counters.refused }),
    );
    return work.move();
  },
};

/** Whether proxies of a plugin's mesh can be configured to send their access logs here. */
function sendsLogs({ plugin }: LoadedPlugin): boolean {
  return plugin.writes.some(({ group, kind }) => group === ACCESS_LOG_CONFIG.group && kind === ACCESS_LOG_CONFIG.kind);
}
