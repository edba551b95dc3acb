/** The service proxy of clusters without kube-proxy forwards as the Services and their endpoints specify. */
import { assert, test } from '@meshrelay/testing';
import { type EndpointSlice, forwardings, type Service } from '../../clusters/processes/forwardings.ts';

const server: Service = {
  metadata: { name: 'server', namespace: 'meshrelay' },
  spec: {
    clusterIPs: ['10.97.0.20'],
    ports: [
      { name: 'relay', protocol: 'TCP', port: 9900, nodePort: 30900 },
      { name: 'dns', protocol: 'UDP', port: 53 },
    ],
  },
  status: { loadBalancer: { ingress: [{ ip: '10.200.1.1' }] } },
};
const slice = (service: string, namespace = 'meshrelay'): EndpointSlice => ({
  metadata: { namespace, labels: { 'kubernetes.io/service-name': service } },
  endpoints: [
    { addresses: ['10.244.1.2'], conditions: { ready: true } },
    { addresses: ['10.244.1.3'], conditions: { ready: false } },
  ],
  ports: [{ name: 'relay', port: 9901 }],
});

test('cluster IP, load balancer and node port lead to the ready endpoints of the port', () => {
  const found = forwardings([server], [slice('server'), slice('other'), slice('server', 'other')], '10.200.0.1');
  const backends = [{ address: '10.244.1.2', port: 9901 }];
  assert.equal(found, [
    { protocol: 'TCP', address: '10.97.0.20', port: 9900, backends },
    { protocol: 'TCP', address: '10.200.1.1', port: 9900, backends },
    { protocol: 'TCP', address: '10.200.0.1', port: 30900, backends },
    { protocol: 'UDP', address: '10.97.0.20', port: 53, backends: [] },
    { protocol: 'UDP', address: '10.200.1.1', port: 53, backends: [] },
  ]);
});

test('a headless Service has no address to forward', () => {
  const headless: Service = { ...server, spec: { ...server.spec, clusterIPs: ['None'] }, status: {} };
  assert.equal(
    forwardings([headless], [slice('server')], '10.200.0.1').map(({ address }) => address),
    ['10.200.0.1'],
  );
});

test.run();
