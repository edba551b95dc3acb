/** The cost of one changed pod to an agent, in clusters of any size. */
import type { KubeObject } from '@meshrelay/api';
import { createGraph, discoverCluster, kindKey, objectKey } from '@meshrelay/relay-core';
import { clusterObjects, podObject } from '../fleet/cluster.ts';
import { OPTIONS } from '../fleet/plane.ts';
import { cpuMs, median } from '../measure.ts';
import { WorkMeter } from '../work-done.ts';

export interface DiscoveryInput {
  readonly pods: number;
  readonly changes: number;
}

export interface DiscoveryResult {
  readonly cpuMsPerChange: number;
  readonly runsPerChange: number;
  readonly coldCpuMs: number;
}

const BATCHES = 5;

export function discovery({ pods, changes }: DiscoveryInput): DiscoveryResult {
  const graph = createGraph();
  const { inputs, workloads } = discoverCluster(graph, 'cluster-1', OPTIONS.plugins);
  const sourceOf = ({ kind, apiVersion }: KubeObject) => {
    const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
    const source = inputs.get(kindKey({ group, kind }));
    if (source === undefined) throw new Error(`${kind} is not discovered; add it to bench/fleet/cluster.ts`);
    return source;
  };
  const objects = clusterObjects(pods);
  const coldCpuMs = cpuMs(() => {
    graph.commit((transaction) => {
      for (const object of objects) transaction.set(sourceOf(object), objectKey(object), object);
    });
  });
  if (workloads.size === 0) throw new Error('nothing was discovered; correct bench/fleet/cluster.ts');
  let made = 0;
  /** A pod's version label changes, so that its Service's subsets change. */
  const change = (): void => {
    made += 1;
    const pod = podObject(made % pods, `v${made}`);
    graph.commit((transaction) => transaction.set(sourceOf(pod), objectKey(pod), pod));
  };
  for (let position = 0; position < changes; position++) change();
  const meter = new WorkMeter(graph);
  const batches = Array.from({ length: BATCHES }, () => {
    const size = Math.ceil(changes / BATCHES);
    return (
      cpuMs(() => {
        for (let position = 0; position < size; position++) change();
      }) / size
    );
  });
  return {
    cpuMsPerChange: median(batches),
    runsPerChange: meter.of(() => true).recomputed / (Math.ceil(changes / BATCHES) * BATCHES),
    coldCpuMs,
  };
}
