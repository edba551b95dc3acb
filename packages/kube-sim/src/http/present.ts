/** Objects and lists in the form that the client accepts. */
import type { JsonObject, KubeObject } from '../object.ts';
import { apiVersionOf, type ServedResource } from '../resources/definition.ts';
import { tableOf } from '../tables/table.ts';
import type { ListPage } from '../verbs/list.ts';
import type { Reply } from './reply.ts';
import type { RequestContext } from './request-context.ts';

const META = 'meta.k8s.io/v1';

/** One object as the body of a reply or of a watch event. */
export function presentObject(context: RequestContext, resource: ServedResource, object: KubeObject): object {
  const { form, query, cluster } = context;
  if (form.as === 'object') return object;
  if (form.as === 'metadata') return partial(object);
  return tableOf([object], {
    columns: resource.version.columns,
    include: query.get('includeObject'),
    now: cluster.clock.now(),
    metadata: { resourceVersion: object.metadata.resourceVersion ?? '' },
  });
}

/** One object as a reply. */
export function objectReply(context: RequestContext, resource: ServedResource, object: KubeObject, code = 200): Reply {
  return { code, body: presentObject(context, resource, object), format: context.form.format };
}

/** A page of a list as a reply. */
export function listReply(context: RequestContext, resource: ServedResource, page: ListPage): Reply {
  const { form, query, cluster } = context;
  const { definition, version } = resource;
  // Only plain lists of custom objects have an empty `continue`; all others omit it.
  const showsEmptyContinue = definition.custom && form.as === 'object';
  const metadata: JsonObject = {
    resourceVersion: page.resourceVersion,
    ...(page.continueToken === '' && !showsEmptyContinue ? {} : { continue: page.continueToken }),
    ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
  };
  const { format } = form;
  if (form.as === 'table') {
    const include = query.get('includeObject');
    const now = cluster.clock.now();
    return { code: 200, format, body: tableOf(page.objects, { columns: version.columns, include, now, metadata }) };
  }
  if (form.as === 'metadata') {
    const items = page.objects.map(partial);
    return { code: 200, format, body: { kind: 'PartialObjectMetadataList', apiVersion: META, metadata, items } };
  }
  const apiVersion = apiVersionOf(definition.group, version.name);
  if (definition.custom)
    return { code: 200, format, body: { apiVersion, items: page.objects, kind: definition.listKind, metadata } };
  // Items of typed lists omit their kind.
  const items = page.objects.map(({ apiVersion: _version, kind: _kind, ...rest }) => rest);
  return { code: 200, format, body: { kind: definition.listKind, apiVersion, metadata, items } };
}

function partial(object: KubeObject): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: META, metadata: object.metadata as unknown as JsonObject };
}
