/**
 * Ports that no proxy can be configured for. An API server rejects such Services, but files and other tools may contain
 * them.
 */
import type { DestinationPort } from '@meshrelay/api';

/** A fault of a port of a Service. */
export interface PortFault {
  /** Completes "Service x: ". */
  readonly message: string;
}

/** The valid ports, and the faults of the others. Of several ports with one number or one name the first is valid. */
export function soundPorts(ports: readonly DestinationPort[]): {
  readonly sound: readonly DestinationPort[];
  readonly faults: readonly PortFault[];
} {
  const taken = new Set<string>();
  const faults: PortFault[] = [];
  const sound = ports.filter((port) => {
    const message = faultOf(port, taken);
    if (message !== undefined) faults.push({ message: `${message}, so it is left out; correct spec.ports` });
    return message === undefined;
  });
  return { sound: faults.length === 0 ? ports : sound, faults };
}

function faultOf(
  { port, name = '', protocol = 'TCP', targetPortNumber }: DestinationPort,
  taken: Set<string>,
): string | undefined {
  if (!isPort(port)) return `port ${port} is not a number between 1 and 65535`;
  if (targetPortNumber !== undefined && !isPort(targetPortNumber))
    return `target port ${targetPortNumber} of port ${port} is not a number between 1 and 65535`;
  // UDP may share a number with TCP, as DNS does.
  const number = `${protocol === 'TCP' ? 'TCP' : 'other'} ${port}`;
  if (taken.has(number)) return `port ${port} is there twice`;
  if (name !== '' && taken.has(`named ${name}`)) return `port ${port} has the name ${name} of another port`;
  taken.add(number).add(`named ${name}`);
  return undefined;
}

function isPort(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 65535;
}
