/** What the golden cases of a mesh plugin record as its outputs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CustomResource } from '@meshrelay/testing/custom-resources';
import { parse } from 'yaml';

/** The objects of one case, whatever their cluster. */
export interface GoldenOutputs {
  readonly name: string;
  readonly objects: readonly CustomResource[];
}

/** Every case of a plugin's package. */
export function goldenOutputs(plugin: string): GoldenOutputs[] {
  const folder = fileURLToPath(new URL(`../../packages/${plugin}/test/golden`, import.meta.url));
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const clusters = parse(readFileSync(join(folder, name, 'output.yaml'), 'utf8')) as Record<
        string,
        Recorded[]
      > | null;
      const objects = Object.values(clusters ?? {}).flatMap((recorded) =>
        recorded.map(({ because: _, ...object }) => object),
      );
      return { name, objects };
    });
}

/** An object and the policies it is there for. */
type Recorded = CustomResource & { readonly because?: unknown };
