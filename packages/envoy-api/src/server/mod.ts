/** Servers for Envoys: one port for all their traffic, and configuration by authenticated identity. */
export { type AdsOptions, adsService } from './ads-service.ts';
export {
  Callers,
  CallersBusyError,
  type CallersLimits,
  type CallersOptions,
  DEFAULT_CALLERS_LIMITS,
  type VerifiedServiceAccount,
} from './callers.ts';
export {
  type DataPlaneLimits,
  type DataPlaneOptions,
  type DataPlaneRejection,
  type DataPlaneServer,
  DEFAULT_DATA_PLANE_LIMITS,
  listenForProxies,
  type ServedService,
} from './data-plane-server.ts';
export { Proxies, type ProxiesOptions, type ProxyEntry, type ProxyState } from './proxies.ts';
export type { SourceLimits } from './source-budget.ts';
