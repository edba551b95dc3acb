/** What the story needs, prepared before its isolated network exists. */
import type { InstallableCrd } from '@meshrelay/testing/custom-resources';
import type { DebianPrograms } from '../lab/debian-programs.ts';
import type { ClusterPrograms } from '../lab/programs.ts';

export interface Prepared {
  readonly programs: ClusterPrograms;
  readonly helm: string;
  readonly meshctl: string;
  /** Archives of the images of the cluster itself. */
  readonly clusterImages: readonly string[];
  /** Archives of Meshrelay's images. */
  readonly images: Readonly<Record<'mgmt-server' | 'agent', string>>;
  /** The name of the agent's image, which has Node. */
  readonly agentImage: string;
  /** The archive of istiod's image. */
  readonly istiod: string;
  /** The archive of the image of sidecars and gateways. */
  readonly proxy: string;
  /** The archive of the image of Redis. */
  readonly redis: string;
  readonly istioCrds: readonly InstallableCrd[];
  /** Folders of the charts of an earlier commit, to upgrade from. */
  readonly earlierCharts: string;
}

export interface StoryPlan extends Prepared {
  /** The folder of all clusters. */
  readonly folder: string;
  /** The prefix of the names of their control groups. */
  readonly groups: string;
  /** Programs of nodes with a kubelet; without them pods run as processes. */
  readonly debian?: DebianPrograms;
}
