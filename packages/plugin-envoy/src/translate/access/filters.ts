/** The filters that admit or reject callers. */
import { create, httpConnectionManager, httpRbac, listener, networkRbac, pack } from '@meshrelay/envoy-api';
import type { AccessFilters } from './rules.ts';

const SHADOW_PREFIX = 'meshrelay_audit_';

/** Filters for requests: DENY comes first. */
export function requestFilters({ deny, allow, audit }: AccessFilters): httpConnectionManager.HttpFilter[] {
  const filter = (name: string, config: Parameters<typeof pack<typeof httpRbac.RBACSchema>>[1]) =>
    create(httpConnectionManager.HttpFilterSchema, {
      name,
      configType: { case: 'typedConfig', value: pack(httpRbac.RBACSchema, config) },
    });
  return [
    ...(deny === undefined ? [] : [filter('meshrelay.deny', { rules: deny })]),
    ...(allow === undefined ? [] : [filter('meshrelay.allow', { rules: allow })]),
    ...(audit === undefined
      ? []
      : [filter('meshrelay.audit', { shadowRules: audit, shadowRulesStatPrefix: SHADOW_PREFIX })]),
  ];
}

/** Filters for connections. */
export function connectionFilters({ deny, allow, audit }: AccessFilters): listener.Filter[] {
  const filter = (name: string, config: Parameters<typeof pack<typeof networkRbac.RBACSchema>>[1]) =>
    create(listener.FilterSchema, {
      name,
      configType: { case: 'typedConfig', value: pack(networkRbac.RBACSchema, config) },
    });
  return [
    ...(deny === undefined ? [] : [filter('meshrelay.deny', { statPrefix: 'deny', rules: deny })]),
    ...(allow === undefined ? [] : [filter('meshrelay.allow', { statPrefix: 'allow', rules: allow })]),
    ...(audit === undefined
      ? []
      : [
          filter('meshrelay.audit', {
            statPrefix: 'audit',
            shadowRules: audit,
            shadowRulesStatPrefix: SHADOW_PREFIX,
          }),
        ]),
  ];
}
