/**
 * The rules of Istio's pairs as AccessPolicies, or the reason why AccessPolicy cannot express them. A rule is named
 * `<pair> <policy> <rule>`.
 */
import type { AccessRuleView } from '@meshrelay/plugin';

/** Trust domains that the mesh of these pairs accepts: the TLS handshake rejects callers of others. */
export const TRUSTED = ['cluster.local', 'td1'] as const;

/** One of Istio's rules as an AccessPolicy. */
export interface Expressed {
  readonly rules: readonly AccessRuleView[];
  /** Whether requests are rejected by default, as a VirtualMesh with global access does. */
  readonly closed?: true;
}

const rule = (changes: Partial<AccessRuleView>): AccessRuleView => ({
  action: 'ALLOW',
  sources: { kind: 'anyone' },
  paths: [],
  methods: [],
  ports: [],
  notPaths: [],
  notMethods: [],
  notPorts: [],
  from: [],
  ...changes,
});

const by = (...principals: readonly string[]): Pick<AccessRuleView, 'sources'> => ({
  sources: { kind: 'principals', principals },
});
const everywhere = (identity: string): string[] => TRUSTED.map((domain) => `${domain}/${identity}`);
const says = (...rules: readonly AccessRuleView[]): Expressed => ({ rules });

export const EXPRESSED: Readonly<Record<string, Expressed>> = {
  'http-allow-empty-rule allow-all 0': says(rule({})),
  'http-allow-nil-rule allow-none 0': { rules: [], closed: true },
  'http-deny-empty-rule deny-all 0': says(rule({ action: 'DENY' })),
  'http-deny-and-allow httpbin-deny 0': says(rule({ action: 'DENY', ...by('deny') })),
  'http-deny-and-allow httpbin-allow 0': says(rule(by('allow'))),
  'http-multiple-policies httpbin-1 0': says(rule({ methods: ['GET', 'POST'] })),
  'http-multiple-policies httpbin-2 0': says(rule({ paths: ['/v1', '/v2'] })),
  'http-multiple-policies httpbin-4 0': says(rule({ ports: [80, 90] })),
  'http-multiple-policies httpbin-5 0': says(rule(by('principals1', 'principals2'))),
  'http-multiple-policies httpbin-7 0': says(
    rule(by(...everywhere('ns/namespaces1/*'), ...everywhere('ns/namespaces2/*'))),
  ),
  // Its first source is any authenticated caller, so the others add none.
  'http-simple-policy-principal-with-wildcard httpbin 0': says(rule(by(...everywhere('*')))),
  // The second source requires a namespace that its own names exclude: it matches no caller.
  'http-simple-policy-td-aliases httpbin 0': says(
    rule({ methods: ['PUT'], ...by(...everywhere('ns/rule0/sa/from0-principal0')) }),
  ),
  'http-simple-policy-td-aliases httpbin 1': says(
    rule({ methods: ['PATCH'], ...by(...everywhere('ns/rule1/sa/from0-principal0')) }),
  ),
  // Any principal of that namespace.
  'http-td-aliases-source-principal httpbin 0': says(rule(by(...everywhere('ns/istio-system/*')))),
  'tcp-allow-both-http-tcp httpbin-deny 3': says(rule({ ports: [80], ...by(...everywhere('ns/ns-1/*')) })),
  'tcp-deny-both-http-tcp httpbin-deny 1': says(rule({ action: 'DENY', methods: ['GET'] })),
  'tcp-deny-both-http-tcp httpbin-deny 3': says(
    rule({ action: 'DENY', methods: ['GET'], ...by(...everywhere('ns/ns-1/*')) }),
  ),
  'tcp-deny-both-http-tcp httpbin-deny 7': says(
    rule({ action: 'DENY', ports: [80], ...by(...everywhere('ns/ns-1/*')) }),
  ),
  'tcp-deny-both-http-tcp httpbin-deny 8': says(rule({ action: 'DENY', methods: ['GET'] })),
  'tcp-deny-both-http-tcp httpbin-deny 9': says(rule({ action: 'DENY', ports: [80] })),
};

const TOKENS =
  'it asks for claims of a token (requestPrincipals), and an AccessPolicy knows callers by their certificates';
const HOSTS = 'it asks for the host, and an AccessPolicy is about a destination, whatever it is called';
const ADDRESSES = 'it asks for the address of the caller, and an AccessPolicy knows callers by their certificates';
const HEADERS = 'it asks for a header, and an AccessPolicy knows paths, methods and ports';
const TEMPLATES = 'it asks for templates of paths, and an AccessPolicy knows whole paths, beginnings and endings';
const NOT_SOURCES = 'it takes callers out of its sources, and an AccessPolicy names those it means';

export const NOT_EXPRESSIBLE: Readonly<Record<string, string>> = {
  'http-allow-full-rule httpbin-1 0': NOT_SOURCES,
  'http-allow-full-rule httpbin-1 1': `${NOT_SOURCES}; ${TOKENS}; ${HOSTS}`,
  'http-allow-path httpbin-1 0': TEMPLATES,
  'http-multiple-policies httpbin-3 0': HOSTS,
  'http-multiple-policies httpbin-6 0': TOKENS,
  'http-multiple-policies httpbin-8 0': ADDRESSES,
  'http-multiple-policies httpbin-9 0': HEADERS,
  'http-single-policy httpbin 0': `${TOKENS}; ${HOSTS}`,
  'http-single-policy httpbin 1': `${TOKENS}; ${HOSTS}`,
  'http-trust-domains httpbin 0': NOT_SOURCES,
  'tcp-allow-only-http': `${TOKENS}; ${HOSTS}`,
  'tcp-deny-both-http-tcp httpbin-deny 0': TOKENS,
  'tcp-deny-both-http-tcp httpbin-deny 2': TOKENS,
  'tcp-deny-both-http-tcp httpbin-deny 4': TOKENS,
  'tcp-deny-both-http-tcp httpbin-deny 5': TOKENS,
  'tcp-deny-both-http-tcp httpbin-deny 6': TOKENS,
  'tcp-deny-both-http-tcp httpbin-deny 10': `${NOT_SOURCES}; ${TOKENS}; ${HOSTS}`,
};
