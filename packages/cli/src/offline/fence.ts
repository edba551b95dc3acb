/** Implements `meshctl fence`. */
import process from 'node:process';
import { fencePolicy } from '@meshrelay/relay-core';
import { type DataFormat, format } from '../output/format.ts';
import { loadMeshPlugins } from './plugins.ts';

export interface FenceOptions {
  readonly namespace: string;
  readonly plugin: readonly string[];
  readonly output: DataFormat;
}

/** @throws InputError if a plugin cannot be loaded */
export async function printFence({ namespace, plugin, output }: FenceOptions): Promise<void> {
  const plugins = await loadMeshPlugins(plugin);
  const kinds = plugins.flatMap(({ plugin: { writes } }) => writes);
  process.stdout.write(format({ apiVersion: 'v1', kind: 'List', items: fencePolicy({ kinds, namespace }) }, output));
}
