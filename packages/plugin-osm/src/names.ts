/**
 * Names of what we write. They never meet a user's by chance (all begin with `meshrelay-`), and never each other: parts are joined by dots,
 * which names of Services and namespaces do not have. Names of ServiceAccounts may, and may be long: then a digest tells them apart.
 */
import type { ServiceAccount } from './service-account.ts';

const PREFIX = 'meshrelay';
/** Of names in Kubernetes, in characters. */
const MAX_LENGTH = 253;

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
  const plain = `${PREFIX}-${parts.join('.')}`;
  const ambiguous = parts.length > 1 && parts.some((part) => part.includes('.'));
  if (!ambiguous && plain.length <= MAX_LENGTH) return plain;
  const ending = `.${digest(JSON.stringify(parts))}`;
  return `${plain.slice(0, MAX_LENGTH - ending.length).replace(/[-.]+$/, '')}${ending}`;
}

const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;

/** FNV-1a of 64 bits, over text that is ASCII: plugins have no hasher of their own, and no names to defend against those who choose them. */
function digest(text: string): string {
  let hash = FNV_OFFSET;
  for (let position = 0; position < text.length; position += 1)
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(position))) * FNV_PRIME);
  return hash.toString(16).padStart(16, '0');
}
