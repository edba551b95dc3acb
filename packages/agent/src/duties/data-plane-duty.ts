/** Every replica serves the proxies of its cluster. */
import { listenFor } from '../data-plane/listen.ts';
import { dataPlaneMetrics } from '../status/data-plane-metrics.ts';
import type { EveryDuty } from './duties.ts';

export const dataPlaneDuty: EveryDuty = {
  name: 'data-plane',
  who: 'every',
  async start({ config, dataPlane, status, metrics, logger }) {
    const counters = dataPlaneMetrics(metrics, dataPlane, () => status.dataPlane?.connections ?? 0);
    const server = await listenFor(dataPlane, {
      ...config.dataPlane,
      logger: logger.child('data-plane'),
      onRefused: counters.refused,
    });
    status.dataPlane = server;
    return {
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]();
        dataPlane[Symbol.dispose]();
      },
    };
  },
};
