/** What of the objects is not in force with the Envoys of this replica: refused by some, or never sent since they would refuse it. */
import { MAX_XDS_REFUSALS, type XdsRefusal, type XdsResourceType } from '@meshrelay/api';
import type { DataPlane } from '../data-plane.ts';

/** By the names of the objects; each in an order that does not depend on who said it first. */
export function refusedResources({
  proxies,
  catalog,
  routes,
  extensions,
}: Pick<DataPlane, 'proxies' | 'catalog' | 'routes' | 'extensions'>): ReadonlyMap<string, readonly XdsRefusal[]> {
  const found = new Map<string, Map<string, XdsRefusal>>();
  const add = (object: string, refusal: XdsRefusal): void => {
    const all = found.get(object) ?? new Map<string, XdsRefusal>();
    found.set(object, all.set(`${refusal.type}/${refusal.name}/${refusal.by ?? ''}`, refusal));
  };
  const blame = (object: string, refusal: XdsRefusal): void => {
    const composed = routes.composedBy(object);
    if (composed === undefined) {
      add(object, refusal);
      return;
    }
    const suspects = routes.suspects(composed, refusal.message);
    // Too many to be blamed for what at most a few of them did: the log and a metric tell of it.
    if (suspects.length <= MOST_SUSPECTS) for (const suspect of suspects) add(suspect, refusal);
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

const MOST_SUSPECTS = 8;

function inOrder(all: ReadonlyMap<string, XdsRefusal>): readonly XdsRefusal[] {
  return [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, refusal]) => refusal);
}

/** As many as are told. */
export function told(refusals: readonly XdsRefusal[]): readonly XdsRefusal[] {
  return refusals.slice(0, MAX_XDS_REFUSALS);
}
