/**
 * Resources of the objects that are not effective on the Envoys of this replica. An Envoy rejected them, or the agent
 * does not send them because Envoys would reject them.
 */
import { MAX_XDS_NACKS, type XdsNack, type XdsResourceType } from '@meshrelay/api';
import type { DataPlane } from '../data-plane.ts';

/** By the names of the objects. Each list has an order that does not depend on which Envoy reported first. */
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
    // With too many suspects, at most a few caused the rejection, so none is blamed. The log and a metric report it.
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
        // No object contains secrets.
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

/** Envoy reports that it does not run a module, and writes the reason only to its own log. */
function refusedModule(message: string): string {
  if (!message.includes('Unable to create Wasm plugin')) return message;
  return `${message}; the module does not load or rejects its configuration: see the log of the Envoy`;
}

const MAX_SUSPECTS = 8;

function inOrder(all: ReadonlyMap<string, XdsNack>): readonly XdsNack[] {
  return [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rejection]) => rejection);
}

/** Limits the rejections to the number that is sent. */
export function sent(rejections: readonly XdsNack[]): readonly XdsNack[] {
  return rejections.slice(0, MAX_XDS_NACKS);
}
