/**
 * The access log configuration that agents get for a workload: the same for every mesh whose proxies send entries to
 * agents.
 */
import { type AccessLogConfigSpec, type AccessLogFilter, type AccessLogRule, apiVersionOf } from '@meshrelay/api';
import type { ResourceKind } from './kubernetes/resource-kind.ts';
import { memoizeUntilCompaction } from './memoize.ts';
import type { NativeObject } from './native-object.ts';
import { objectName } from './object-name.ts';
import type { AccessLogFilterView, AccessLogRuleView, WorkloadExtensionsView } from './views/mod.ts';

/** Part of the `writes` of plugins that translate access logs. */
export const ACCESS_LOG_CONFIG: ResourceKind = {
  group: 'agent.meshrelay.dev',
  version: 'v1alpha1',
  kind: 'AccessLogConfig',
  plural: 'accesslogconfigs',
  namespaced: true,
};

/** The object, in the workload's namespace: agents apply it only to workloads of that namespace. */
export function accessLogConfig({
  workload: { namespace, name, kind },
  accessLog,
}: WorkloadExtensionsView): NativeObject {
  const spec: AccessLogConfigSpec = { workload: name, rules: rulesOf(accessLog) };
  return {
    apiVersion: apiVersionOf(ACCESS_LOG_CONFIG),
    kind: ACCESS_LOG_CONFIG.kind,
    metadata: { name: objectName('meshrelay-access-log', [name, kind.toLowerCase()]), namespace },
    spec,
  };
}

const rulesOf = memoizeUntilCompaction((rules: readonly AccessLogRuleView[]): readonly AccessLogRule[] =>
  rules.map(ruleOf),
);

function ruleOf(rule: AccessLogRuleView): AccessLogRule {
  return {
    name: rule.from.map((record) => `${record.namespace}/${record.name}`).join(', '),
    filters: rule.filters.map(filterOf),
    includedRequestHeaders: rule.requestHeaders,
    includedResponseHeaders: rule.responseHeaders,
    includedResponseTrailers: rule.responseTrailers,
    includedFilterStateObjects: rule.filterState,
  };
}

function filterOf(filter: AccessLogFilterView): AccessLogFilter {
  if ('status' in filter) return { statusCodeMatcher: filter.status };
  const { name, value, regex, invert } = filter.header;
  return {
    headerMatcher: {
      name,
      ...(value === undefined ? {} : { value }),
      ...(regex ? { regex } : {}),
      ...(invert ? { invertMatch: true } : {}),
    },
  };
}
