/** A workload cluster for tests, and objects in it. */
export { envelope, keyOf } from './envelope.ts';
export {
  countPushedKinds,
  ISTIO,
  issuedCertificate,
  labelledPod,
  NAMESPACE,
  output,
  TestCluster,
  workloadCertificate,
} from './test-cluster.ts';
