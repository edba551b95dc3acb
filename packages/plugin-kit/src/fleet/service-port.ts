/** The short form of a Service's port. */

/** A port as a Service's spec has it. */
export interface ServicePort {
  readonly name: string;
  readonly port: number;
  readonly protocol: string;
  readonly targetPort: number | string;
  readonly nodePort?: number;
}

/** `name:port`, `name:port:targetPort` or `name:port:targetPort:nodePort`; the name may end in `/UDP`. */
export function servicePort(text: string): ServicePort {
  const [label = '', port = '', target = port, nodePort] = text.split(':');
  const [name = '', protocol = 'TCP'] = label.split('/');
  return {
    name,
    port: Number(port),
    protocol,
    targetPort: /^\d+$/.test(target) ? Number(target) : target,
    ...(nodePort === undefined ? {} : { nodePort: Number(nodePort) }),
  };
}
