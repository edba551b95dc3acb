/**
 * Names of generated objects. All begin with `meshrelay-`, so they do not collide with users' objects by accident. They
 * do not collide with each other: dots join the parts, and names of Services and namespaces have no dots. Names of
 * ServiceAccounts may have dots and may be long: then a digest distinguishes them.
 */
import { objectName } from '@meshrelay/plugin';
import type { ServiceAccount } from './service-account.ts';

const PREFIX = 'meshrelay';

/** The object for a Service, in its own namespace. */
export function serviceName(service: string): string {
  return nameOf([service]);
}

/** The behaviour of one caller towards a Service, in the Service's namespace. */
export function callerName(service: string, { namespace, name }: ServiceAccount): string {
  return nameOf([service, namespace, name]);
}

/** The requests that callers may send to pods of a ServiceAccount, in its namespace. */
export function requestsName(serviceAccount: string): string {
  return nameOf([serviceAccount]);
}

/** The grant of one caller for pods of a ServiceAccount, in its namespace; without ports it applies to all. */
export function grantName(serviceAccount: string, caller: ServiceAccount, ports: readonly number[]): string {
  return nameOf([serviceAccount, caller.namespace, caller.name, ...(ports.length === 0 ? [] : [ports.join('-')])]);
}

/** A set of ports: equal sets share one object. */
export function portsName(ports: readonly number[]): string {
  return nameOf(['ports', ports.join('-')]);
}

function nameOf(parts: readonly string[]): string {
  return objectName(PREFIX, parts);
}
