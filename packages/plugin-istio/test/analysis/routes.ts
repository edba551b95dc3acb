/** Routes that no request reaches: two rules with the same match, or one after a rule that matches all requests. */
import { canonicalJson } from '@meshrelay/relay-core';
import {
  type Analysed,
  type Analyzer,
  fullHost,
  hostTakes,
  type Message,
  namespaceOf,
  ofKind,
  seenTogether,
  titleOf,
} from './objects.ts';

type Match = Readonly<Record<string, unknown>> & {
  readonly uri?: { readonly prefix?: string };
  readonly method?: unknown;
};

/** For HTTP, TCP and TLS rules alike. */
export const unreachableRoutes: Analyzer = (objects) =>
  ofKind(objects, 'VirtualService').flatMap((virtualService) =>
    ['http', 'tcp', 'tls'].flatMap((protocol) => deadRules(virtualService, virtualService.spec[protocol] ?? [])),
  );

function deadRules(virtualService: Analysed, rules: ReadonlyArray<{ readonly match?: readonly Match[] }>): Message[] {
  const object = titleOf(virtualService);
  const seen = new Map<string, number>();
  const prefixes: Array<{ readonly rest: string; readonly prefix: string }> = [];
  let takesAll = false;
  return rules.flatMap(({ match = [] }, position): Message[] => {
    if (takesAll) return [{ message: 'VirtualServiceUnreachableRule', object }];
    takesAll = match.length === 0;
    const duplicates = match.filter((one) => seen.has(idOf(one))).length;
    const messages: Message[] = [];
    if (duplicates > 0) messages.push({ message: 'VirtualServiceIneffectiveMatch', object });
    if (duplicates > 0 && duplicates === match.length)
      messages.push({ message: 'VirtualServiceUnreachableRule', object });
    for (const one of match) {
      const { uri, name: _name, ...others } = one;
      if (duplicates === 0 && prefixes.some(({ rest, prefix }) => covers(rest, prefix, others, uri?.prefix)))
        messages.push({ message: 'VirtualServiceIneffectiveMatch', object });
      if (uri?.prefix !== undefined) prefixes.push({ rest: canonicalJson(others), prefix: uri.prefix });
      seen.set(idOf(one), position);
    }
    return messages;
  });
}

/** A shorter prefix with the same other conditions, or with none, matches everything that a longer one would. */
function covers(rest: string, prefix: string, others: object, longer: string | undefined): boolean {
  return longer?.startsWith(prefix) === true && (rest === '{}' || rest === canonicalJson(others));
}

function idOf({ name: _name, ...match }: Match): string {
  return canonicalJson(match);
}

/** Reports two VirtualServices for one host on the mesh gateway that one namespace sees. */
export const meshGatewayHosts: Analyzer = (objects) => {
  const claims = ofKind(objects, 'VirtualService')
    .filter(({ spec }) => (spec.gateways ?? ['mesh']).includes('mesh'))
    .flatMap((one) => (one.spec.hosts ?? []).map((host: string) => ({ one, host: fullHost(host, namespaceOf(one)) })));
  const conflicting = claims.filter(({ one, host }) =>
    claims.some(
      (other) =>
        other.one !== one &&
        (hostTakes(other.host, host) || hostTakes(host, other.host)) &&
        seenTogether(one, other.one),
    ),
  );
  return [...new Set(conflicting.map(({ one }) => one))].map((one) => ({
    message: 'ConflictingMeshGatewayVirtualServiceHosts',
    object: titleOf(one),
  }));
};

/** Reports a route for a Gateway that does not exist, or that serves none of its hosts. */
export const routedGateways: Analyzer = (objects) =>
  ofKind(objects, 'VirtualService').flatMap((service) =>
    ((service.spec.gateways ?? []) as readonly string[])
      .filter((name) => name !== 'mesh')
      .flatMap((name) => {
        const gateway = gatewayOf(name, service, objects);
        const hosts: readonly string[] = (gateway?.spec.servers ?? []).flatMap((one: { hosts: string[] }) => one.hosts);
        const taken = hosts
          .map((host) => host.slice(host.indexOf('/') + 1))
          .some((host) => service.spec.hosts.some((own: string) => hostTakes(host, own) || hostTakes(own, host)));
        return [
          ...(gateway === undefined ? ['ReferencedResourceNotFound'] : []),
          ...(taken ? [] : ['VirtualServiceHostNotFoundInGateway']),
        ].map((message) => ({ message, object: titleOf(service) }));
      }),
  );

/** By its name with a namespace, or in the route's own namespace. */
function gatewayOf(name: string, service: Analysed, objects: readonly Analysed[]): Analysed | undefined {
  const required = name.includes('/') ? name : `${namespaceOf(service)}/${name}`;
  return ofKind(objects, 'Gateway').find((one) => `${namespaceOf(one)}/${one.metadata.name}` === required);
}
