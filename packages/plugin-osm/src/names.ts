/**
 * Names of what we write. They never meet a user's by chance (all begin with `meshrelay-`), and never each other: parts are joined by dots,
 * which names of Services and namespaces do not have. Names of ServiceAccounts may, and may be long: then a digest tells them apart.
 */
import { objectName } from '@meshrelay/relay-core';
import type { ServiceAccount } from './service-account.ts';

const PREFIX = 'meshrelay';

/** The object about a Service, in its own namespace. */
export function serviceName(service: string): string {
  return nameOf([service]);
}

/** What a caller does towards a Service, in the Service's namespace. */
export function callerName(service: string, { namespace, name }: ServiceAccount): string {
  return nameOf([service, namespace, name]);
}

/** The requests that some caller may send to pods of a ServiceAccount, in its namespace. */
export function requestsName(serviceAccount: string): string {
  return nameOf([serviceAccount]);
}

/** What one caller may do towards pods of a ServiceAccount, in its namespace; on some ports or, where there are none, on all. */
export function grantName(serviceAccount: string, caller: ServiceAccount, ports: readonly number[]): string {
  return nameOf([serviceAccount, caller.namespace, caller.name, ...(ports.length === 0 ? [] : [ports.join('-')])]);
}

/** A set of ports: whoever means the same set means the same object. */
export function portsName(ports: readonly number[]): string {
  return nameOf(['ports', ports.join('-')]);
}

function nameOf(parts: readonly string[]): string {
  return objectName(PREFIX, parts);
}
