/** Wrong translations that requests must expose: one value, field or condition each. */
import type { SourceMutant } from '@meshrelay/testing/source-mutant';

export interface TranslationMutant extends SourceMutant {
  /** The scenario that exposes it, as `<file>: <name>`; random fleets must expose all others. */
  readonly scenario?: string;
}

const ISTIO = 'packages/plugin-istio/src/translate';
const RESOLVE = 'packages/relay-core/src/resolve';

export const MUTANTS: readonly TranslationMutant[] = [
  {
    name: 'shift-without-subset',
    file: `${ISTIO}/route/target.ts`,
    find: 'subset: target.subset?.name,',
    put: '',
  },
  {
    name: 'shift-with-equal-weights',
    file: `${ISTIO}/traffic/traffic-shift.ts`,
    find: 'weight: target.weight,',
    put: 'weight: target.weight > 0 ? 1 : 0,',
  },
  {
    name: 'shift-includes-weight-0',
    file: `${ISTIO}/traffic/traffic-shift.ts`,
    find: 'weight: target.weight,',
    put: 'weight: target.weight || 1,',
  },
  {
    name: 'retries-on-other-conditions',
    file: `${ISTIO}/traffic/retries.ts`,
    find: "retryOn: conditions?.join(','),",
    put: "retryOn: 'gateway-error',",
  },
  {
    name: 'one-retry-too-few',
    file: `${ISTIO}/traffic/retries.ts`,
    find: 'return present({\n    attempts,',
    put: 'return present({\n    attempts: attempts === undefined ? 0 : attempts - 1,',
  },
  {
    name: 'one-retry-too-many',
    file: `${ISTIO}/traffic/retries.ts`,
    find: 'return present({\n    attempts,',
    put: 'return present({\n    attempts: attempts === undefined ? 1 : attempts + 1,',
  },
  {
    name: 'timeout-ten-times',
    file: `${ISTIO}/traffic/request-timeout.ts`,
    find: 'duration(milliseconds)',
    put: 'duration(milliseconds * 10)',
  },
  {
    name: 'timeout-a-half',
    file: `${ISTIO}/traffic/request-timeout.ts`,
    find: 'duration(milliseconds)',
    put: 'duration(milliseconds / 2)',
  },
  {
    name: 'request-headers-not-added',
    file: `${ISTIO}/traffic/header-manipulation.ts`,
    find: 'request: present({ add: escaped(view.requestAdd), remove',
    put: 'request: present({ remove',
  },
  {
    name: 'request-headers-set',
    file: `${ISTIO}/traffic/header-manipulation.ts`,
    find: 'request: present({ add: escaped',
    put: 'request: present({ set: escaped',
  },
  {
    name: 'request-headers-not-removed',
    file: `${ISTIO}/traffic/header-manipulation.ts`,
    find: ', remove: view.requestRemove',
    put: '',
  },
  {
    name: 'response-headers-not-added',
    file: `${ISTIO}/traffic/header-manipulation.ts`,
    find: 'response: present({ add: escaped(view.responseAdd), remove',
    put: 'response: present({ remove',
  },
  {
    name: 'response-headers-not-removed',
    file: `${ISTIO}/traffic/header-manipulation.ts`,
    find: ', remove: view.responseRemove',
    put: '',
  },
  {
    name: 'cors-for-any-origin',
    file: `${ISTIO}/traffic/cors-policy.ts`,
    find: 'allowOrigins: view.allowOrigins.map(stringMatch),',
    put: "allowOrigins: [{ regex: '.*' }],",
  },
  {
    name: 'cors-without-credentials',
    file: `${ISTIO}/traffic/cors-policy.ts`,
    find: 'allowCredentials: view.allowCredentials,',
    put: '',
  },
  {
    name: 'cors-without-exposed-headers',
    file: `${ISTIO}/traffic/cors-policy.ts`,
    find: 'exposeHeaders: view.exposeHeaders,',
    put: '',
  },
  {
    name: 'mirrors-nothing',
    file: `${ISTIO}/traffic/mirror.ts`,
    find: 'percentage: percent(percentage)',
    put: 'percentage: percent(0)',
  },
  {
    name: 'mirrors-all',
    file: `${ISTIO}/traffic/mirror.ts`,
    find: 'percentage: percent(percentage)',
    put: 'percentage: percent(100)',
    scenario: 'rules: mirrors',
  },
  {
    name: 'aborts-of-no-requests',
    file: `${ISTIO}/traffic/fault-injection.ts`,
    find: 'httpStatus: abortStatus, percentage: percent(percentage)',
    put: 'httpStatus: abortStatus',
  },
  {
    name: 'aborts-of-all-requests',
    file: `${ISTIO}/traffic/fault-injection.ts`,
    find: 'httpStatus: abortStatus, percentage: percent(percentage)',
    put: 'httpStatus: abortStatus, percentage: percent()',
  },
  {
    name: 'delays-of-no-requests',
    file: `${ISTIO}/traffic/fault-injection.ts`,
    find: 'fixedDelay: duration(delayMs), percentage: percent(percentage)',
    put: 'fixedDelay: duration(delayMs)',
  },
  {
    name: 'exact-paths-as-prefixes',
    file: `${ISTIO}/route/match.ts`,
    find: 'uri: { exact: uri.exact }',
    put: 'uri: { prefix: uri.exact }',
  },
  {
    name: 'prefixes-as-exact-paths',
    file: `${ISTIO}/route/match.ts`,
    find: 'uri: { prefix: uri.prefix }',
    put: 'uri: { exact: uri.prefix }',
  },
  {
    name: 'paths-never-ignore-case',
    file: `${ISTIO}/route/match.ts`,
    find: 'uri: { prefix: uri.prefix }, ignoreUriCase: uri.ignoreCase || undefined',
    put: 'uri: { prefix: uri.prefix }',
  },
  {
    name: 'suffixes-in-the-middle',
    file: `${ISTIO}/route/match.ts`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is text of a source file
    find: '`.*${literal(uri.suffix)}`',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is text of a source file
    put: '`.*${literal(uri.suffix)}.*`',
    scenario: 'matchers: ends of paths',
  },
  {
    name: 'inverted-headers-as-headers',
    file: `${ISTIO}/route/match.ts`,
    find: 'headers: namedValues(headers.map(lowerCase)),\n    withoutHeaders: namedValues(without.map(lowerCase)),',
    put: 'headers: namedValues([...headers, ...without].map(lowerCase)),',
  },
  {
    name: 'any-method',
    file: `${ISTIO}/route/match.ts`,
    find: 'method: match.method === undefined ? undefined : { exact: match.method },',
    put: '',
  },
  {
    name: 'any-query-parameters',
    file: `${ISTIO}/route/match.ts`,
    find: 'queryParams: namedValues(match.queryParameters, ANY_VALUE),',
    put: '',
  },
  {
    name: 'callers-of-any-labels',
    file: `${ISTIO}/route/match.ts`,
    find: 'sourceLabels: match.sourceLabels,',
    put: '',
  },
  {
    name: 'callers-of-any-namespace',
    file: `${ISTIO}/route/match.ts`,
    find: 'sourceNamespace: match.sourceNamespace,',
    put: '',
  },
  {
    name: 'principals-of-merged-domains',
    file: `${ISTIO}/access/source-selector.ts`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is text of a source file
    find: 'notPrincipals: excluded.map((domain) => `${domain}/*`)',
    put: '',
  },
  {
    name: 'first-principal-only',
    file: `${ISTIO}/access/source-selector.ts`,
    find: 'present({ principals: meant,',
    put: 'present({ principals: meant.slice(0, 1),',
  },
  {
    name: 'any-access-method',
    file: `${ISTIO}/access/allowed-methods.ts`,
    find: '=> ({ methods })',
    put: '=> (methods.length === 0 ? {} : {})',
  },
  {
    name: 'no-excluded-methods',
    file: `${ISTIO}/access/not-methods.ts`,
    find: '=> ({ notMethods })',
    put: '=> (notMethods.length === 0 ? {} : {})',
  },
  {
    name: 'no-excluded-ports',
    file: `${ISTIO}/access/not-ports.ts`,
    find: '({ notPorts: notPorts.map(String) })',
    put: '(notPorts.length === 0 ? {} : {})',
  },
  {
    name: 'audit-denies',
    file: `${ISTIO}/access/action.ts`,
    find: ", annotations: { 'istio.io/dry-run': 'true' }",
    put: '',
  },
  {
    name: 'methods-excluded-instead-of-allowed',
    file: 'packages/relay-core/src/fields/access/not-methods.ts',
    find: '({ notMethods = [] }) => ({ notMethods })',
    put: '({ allowedMethods = [] }) => ({ notMethods: allowedMethods })',
  },
  {
    name: 'federated-to-every-member',
    file: `${RESOLVE}/federation/federation.ts`,
    find: "(required.size === 0 || required.has(key(inputs.namespace, read.get(meshNames, consumer.key) ?? ''))),",
    put: 'required.size >= 0,',
  },
  {
    name: 'identities-of-any-account',
    file: `${ISTIO}/endpoints.ts`,
    find: 'subjectAltNames: identities(destination),',
    put: '',
    scenario: "workload-entries: callers refuse one of the user's whose pod does not have the declared account",
  },
  {
    name: 'federated-name-without-routes',
    file: `${ISTIO}/federated-name.ts`,
    find: 'const own = headless ? routes.map((route) => withTarget(route, destination.hostname, hostname)) : routes;',
    put: 'const own: typeof routes = [];',
  },
  {
    name: 'later-policy-wins',
    file: `${RESOLVE}/traffic/completed-routes.ts`,
    find: 'fields: { ...wide, ...fields }, explicit',
    put: 'fields: { ...fields, ...wide }, explicit',
  },
  {
    name: 'wider-routes-ignored',
    file: `${RESOLVE}/traffic/completed-routes.ts`,
    find: 'fields: { ...wide, ...fields }, explicit',
    put: 'fields, explicit',
  },
  {
    name: 'widest-routes-first',
    file: `${RESOLVE}/traffic/completed-routes.ts`,
    find: 'compareSpecificity(matchOf(a), matchOf(b))',
    put: 'compareSpecificity(matchOf(b), matchOf(a))',
    // Random fleets cannot: the policies are DEGRADED with ROUTE_SHADOWED.
    scenario: 'pairs: one policy for some requests, another for the rest',
  },
  {
    name: 'conflicts-ignored',
    file: `${RESOLVE}/traffic/traffic-plan.ts`,
    find: 'if (holder === undefined || saysTheSame(name, holder.value, value)) continue;',
    put: 'if (holder === undefined || value !== undefined) continue;',
  },
];
