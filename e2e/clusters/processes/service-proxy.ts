/**
 * Forwards connections to Services, in the network of a cluster: `service-proxy.ts KUBECONFIG NODE_ADDRESS`. It listens at
 * cluster IPs, addresses of load balancers and node ports, as kube-proxy's first mode did.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { Client, targetOf } from '@meshrelay/testing/api-server';
import { listenTcp, listenUdp } from './forwarding-listener.ts';
import { type EndpointSlice, type Forwarding, forwardings, type Service } from './forwardings.ts';

/** Milliseconds between two reads of the Services. */
const INTERVAL_MS = 300;

const [, , kubeconfig = '', nodeAddress = ''] = process.argv;
const client = new Client(targetOf(readFileSync(kubeconfig, 'utf8')));
/** By protocol, address and port. */
const listening = new Map<string, { forwarding: Forwarding; readonly close: () => void }>();

for (;;) {
  // The API server may restart at any time.
  await reconcile().catch((error: Error) => console.log(error.message));
  await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
}

async function reconcile(): Promise<void> {
  const services = await itemsOf<Service>('/api/v1/services');
  const slices = await itemsOf<EndpointSlice>('/apis/discovery.k8s.io/v1/endpointslices');
  const expected = new Map(forwardings(services, slices, nodeAddress).map((one) => [keyOf(one), one]));
  for (const [key, { close }] of listening) {
    if (expected.has(key)) continue;
    close();
    listening.delete(key);
  }
  for (const [key, forwarding] of expected) {
    const known = listening.get(key);
    if (known === undefined) listening.set(key, listen(key, forwarding));
    else known.forwarding = forwarding;
  }
}

function listen(key: string, forwarding: Forwarding): { forwarding: Forwarding; readonly close: () => void } {
  const backend = () => {
    const { backends = [] } = listening.get(key)?.forwarding ?? {};
    return backends[Math.floor(Math.random() * backends.length)];
  };
  const start = forwarding.protocol === 'UDP' ? listenUdp : listenTcp;
  const close = start(forwarding, backend, (error) => {
    console.log(`${key}: ${error.message}`);
    listening.delete(key);
  });
  return { forwarding, close };
}

function keyOf({ protocol, address, port }: Forwarding): string {
  return `${protocol} ${address}:${port}`;
}

async function itemsOf<Item>(path: string): Promise<readonly Item[]> {
  const { status, body } = await client.get(`${path}?resourceVersion=0`);
  if (status !== 200) throw new Error(`GET ${path} answered ${status}`);
  return body.items as readonly Item[];
}
