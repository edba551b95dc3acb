/** The OpenAPI documents of the catalog, built on demand and cached until the catalog changes. */
import { servedGroups } from '../discovery/verbs.ts';
import type { JsonObject } from '../object.ts';
import type { Catalog } from '../resources/catalog.ts';
import { apiVersionOf } from '../resources/definition.ts';
import { type OpenApiDocument, openApiDocument } from './document.ts';

/** Serves `/openapi/v3` and the documents below it. */
export class OpenApiIndex {
  readonly #catalog: Catalog;
  readonly #documents = new Map<string, OpenApiDocument | undefined>();
  #generation = -1;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** The index: the URL of each document, with its hash, so that clients can cache it. */
  index(): JsonObject {
    const paths: JsonObject = {};
    for (const { group, versions } of servedGroups(this.#catalog.all())) {
      for (const version of versions) {
        const path = `${group === '' ? 'api' : 'apis'}/${apiVersionOf(group, version)}`;
        const document = this.document(group, version);
        if (document !== undefined) paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${document.hash}` };
      }
    }
    return { paths };
  }

  /** The document of a group and version, or undefined if nothing is served there. */
  document(group: string, version: string): OpenApiDocument | undefined {
    if (this.#generation !== this.#catalog.generation) this.#documents.clear();
    this.#generation = this.#catalog.generation;
    const key = apiVersionOf(group, version);
    if (!this.#documents.has(key)) this.#documents.set(key, openApiDocument(this.#catalog, group, version));
    return this.#documents.get(key);
  }
}
