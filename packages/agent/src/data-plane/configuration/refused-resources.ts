/** What of the objects is not in force with the Envoys of this replica: refused by some, or never sent since they would refuse it. */
import { MAX_XDS_NACKS, type XdsNack, type XdsResourceType } from '@meshrelay/api';
import type { DataPlane } from '../data-plane.ts';

/** By the names of the objects; each in an order that does not depend on who said it first. */
export function refusedResources({
  proxies,
  catalog,
  routes,
  extensions,
}: Pick<DataPlane, 'proxies' | 'catalog' | 'routes' | 'extensions'>): ReadonlyMap<string, readonly XdsNack[]> {
  const found = new Map<string, Map<string, XdsNack>>();
  const add = (object: string, rejection: XdsNack): void => {
    const all = found.get(object) ?? new Map<string, XdsNack>();
    found.set(object, all.set(`${rejection.type}/${rejection.name}/${rejection.by ?? ''}`, rejection));
  };
  const blame = (object: string, rejection: XdsNack): void => {
    const composed = routes.composedBy(object);
    if (composed === undefined) {
      add(object, rejection);
      return;
    }
    const suspects = routes.suspects(composed, rejection.message);
    // Too many to be blamed for what at most a few of them did: the log and a metric tell of it.
    if (suspects.length <= MAX_SUSPECTS) for (const suspect of suspects) add(suspect, rejection);
  };
  for (const { namespace, serviceAccount, rejections } of proxies.states()) {
    for (const { type, versions, message } of rejections) {
      for (const name of versions.keys()) {
        const meaning = type === 'extensionConfig' ? extensions.objectsOf(name) : [];
        for (const object of meaning)
          add(object, {
            type: 'extensionConfig',
            name,
            message: refusedModule(message),
            by: `${namespace}/${serviceAccount}`,
          });
        if (meaning.length > 0) continue;
        // Secrets are in no object.
        const object = type === 'secret' ? undefined : catalog.holderOf({ type, name });
        if (object === undefined) continue;
        blame(object, { type: type as XdsResourceType, name, message, by: `${namespace}/${serviceAccount}` });
      }
    }
  }
  for (const { shard, type, name, problem } of catalog.bad())
    if (type !== 'secret') blame(shard, { type: type as XdsResourceType, name, message: problem });
  for (const { name, reason } of extensions.failing())
    for (const object of extensions.objectsOf(name)) add(object, { type: 'extensionConfig', name, message: reason });
  for (const { object, host, problem } of routes.problems())
    add(object, { type: 'virtualHost', name: host, message: problem });
  return new Map([...found].map(([object, all]) => [object, inOrder(all)]));
}

/** Envoy says of a module that it does not run, and only in its own log why. */
function refusedModule(message: string): string {
  if (!message.includes('Unable to create Wasm plugin')) return message;
  return `${message}; the module does not load, or refuses its configuration: see the log of the Envoy for why`;
}

const MAX_SUSPECTS = 8;

function inOrder(all: ReadonlyMap<string, XdsNack>): readonly XdsNack[] {
  return [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rejection]) => rejection);
}

/** As many as are told. */
export function sent(rejections: readonly XdsNack[]): readonly XdsNack[] {
  return rejections.slice(0, MAX_XDS_NACKS);
}
