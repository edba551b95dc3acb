/** Lists in every format of `-o`. */
import type { KubeObject } from '@meshrelay/api';
import { groupOf } from '@meshrelay/relay-core';
import { format, type ListFormat } from './format.ts';
import { plain } from './plain.ts';
import { table } from './table.ts';

export interface Column<Item> {
  readonly header: string;
  readonly cell: (item: Item) => string;
  /** Only with `-o wide`. */
  readonly wide?: true;
}

export interface List<Item> {
  readonly items: readonly Item[];
  readonly columns: ReadonlyArray<Column<Item>>;
  readonly name: (item: Item) => string;
  /** The document of `-o json` and `-o yaml`; the items unless given. */
  readonly data?: unknown;
}

export function listText<Item>({ items, columns, name, data = items }: List<Item>, as: ListFormat): string {
  if (as === 'json' || as === 'yaml') return format(data, as);
  if (as === 'name') return items.map((item) => `${plain(name(item))}\n`).join('');
  const shown = columns.filter(({ wide }) => as === 'wide' || wide !== true);
  return table(
    shown.map(({ header }) => header),
    items.map((item) => shown.map(({ cell }) => cell(item))),
  );
}

/** The document of a list of objects, as kubectl prints it. */
export function objectList(items: readonly KubeObject[]): object {
  return { apiVersion: 'v1', kind: 'List', items };
}

/** As `kubectl -o name` prints it, such as `mesh.discovery.meshrelay.dev/istiod`. */
export function kubectlName({ apiVersion, kind, metadata }: KubeObject): string {
  const group = groupOf(apiVersion);
  return `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${metadata.name}`;
}
