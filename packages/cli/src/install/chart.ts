/** The Helm charts that come with meshctl. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const COMPONENTS = ['server', 'agent'] as const;
export type Component = (typeof COMPONENTS)[number];

export interface Chart {
  readonly component: Component;
  /** The name of the chart, and of its release: a namespace has one of each. */
  readonly name: string;
  /** The Deployment of the chart. */
  readonly deployment: string;
  readonly folder: string;
  /** The version of the program that it installs. */
  readonly appVersion: string;
}

const NAMES: Readonly<Record<Component, Pick<Chart, 'name' | 'deployment'>>> = {
  server: { name: 'meshrelay', deployment: 'meshrelay-mgmt-server' },
  agent: { name: 'meshrelay-agent', deployment: 'meshrelay-agent' },
};

/** Next to the bundles of a build; in a checkout, at its root. */
const PLACES = ['charts', '../../../../charts'].map((path) => join(import.meta.dirname, path));

export function chartOf(component: Component): Chart {
  const names = NAMES[component];
  const folder = PLACES.map((place) => join(place, names.name)).find((place) => existsSync(join(place, 'Chart.yaml')));
  if (folder === undefined)
    throw new Error(`meshctl has no chart ${names.name}: expected it in ${PLACES.join(' or ')}`);
  const { appVersion } = parse(readFileSync(join(folder, 'Chart.yaml'), 'utf8')) as { readonly appVersion: string };
  return { component, ...names, folder, appVersion };
}

/** The part of a CustomResourceDefinition that decides whether a chart may replace it. */
export interface ChartCrd {
  readonly name: string;
  readonly versions: readonly string[];
}

export function crdsOf({ folder }: Chart): readonly ChartCrd[] {
  const place = join(folder, 'files/crds');
  return readdirSync(place).map((file) => {
    const { metadata, spec } = parse(readFileSync(join(place, file), 'utf8')) as {
      readonly metadata: { readonly name: string };
      readonly spec: { readonly versions: readonly { readonly name: string }[] };
    };
    return { name: metadata.name, versions: spec.versions.map(({ name }) => name) };
  });
}
