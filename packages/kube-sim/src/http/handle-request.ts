/** Handles a request: authenticates, routes and answers it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { WriteHistory } from '../audit/write-history.ts';
import type { Cluster } from '../cluster.ts';
import { internalError, methodNotAllowed, notAcceptable, notFound, resourceNotFound } from '../errors/api-errors.ts';
import type { RequestAttributes } from '../faults/fault.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import { authenticate, authorize, type Credentials } from '../identity/authenticate.ts';
import { answerReview } from '../identity/reviews.ts';
import { requestToken } from '../identity/token-request.ts';
import type { User } from '../identity/user.ts';
import type { Log } from '../log.ts';
import { StatusError } from '../object.ts';
import type { OpenApiIndex } from '../openapi/openapi-index.ts';
import { resourceKey, type ServedResource } from '../resources/definition.ts';
import { applyFault, type FaultOutcome } from './apply-fault.ts';
import { mediaType, readBody } from './body.ts';
import { type ApiDocuments, handleDocument } from './discovery-requests.ts';
import { negotiate, OFFERED } from './negotiate.ts';
import { PAGE_NOT_FOUND, type Reply, send, sendHalf } from './reply.ts';
import type { RequestContext } from './request-context.ts';
import { handleResource, objectBody } from './resource-requests.ts';
import { parseRoute, type ResourceRoute, type Route, verbOf } from './route.ts';
import { failureStatus } from './status.ts';

/** Dependencies of the server. */
export interface ApiServer {
  readonly cluster: Cluster;
  readonly credentials: Credentials;
  readonly openApi: OpenApiIndex;
  readonly log: Log;
  readonly faults: FaultPlan;
  readonly history: WriteHistory;
  /** `host:port` as clients reach the server; known once it listens. */
  address(): string;
}

/** Answers one request. Never rejects: an internal error is a 500 and a line in the log. */
export async function handleRequest(
  server: ApiServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const warnings: string[] = [];
  const retained: { reply: FaultOutcome['reply'] } = { reply: 'whole' };
  let reply: Reply | undefined;
  try {
    reply = await answer(server, request, response, { warnings, retained });
  } catch (error) {
    reply = failure(server, request, error);
  }
  if (reply === undefined) return;
  if (retained.reply === 'lost') return void response.destroy();
  if (response.headersSent) {
    response.end();
    return;
  }
  if (warnings.length > 0)
    response.setHeader(
      'warning',
      warnings.map((text) => `299 - ${JSON.stringify(text)}`),
    );
  response.setHeader('audit-id', server.cluster.newUid());
  if (retained.reply === 'cut') return sendHalf(response, reply);
  const pretty = requestsPretty(request);
  send(response, reply, { pretty, head: request.method === 'HEAD' });
}

/** Users of curl get indented JSON. */
function requestsPretty(request: IncomingMessage): boolean {
  const requested = /[?&]pretty=([^&]*)/.exec(request.url ?? '')?.[1];
  if (requested !== undefined) return requested !== 'false' && requested !== '0';
  return /^(curl|Wget|Mozilla)/.test(request.headers['user-agent'] ?? '');
}

async function answer(
  server: ApiServer,
  request: IncomingMessage,
  response: ServerResponse,
  { warnings, retained }: { readonly warnings: string[]; readonly retained: { reply: FaultOutcome['reply'] } },
): Promise<Reply | undefined> {
  const { headers, method = 'GET' } = request;
  const url = new URL(request.url ?? '/', 'https://kube-sim');
  const user = authenticate(request.socket as TLSSocket, headers.authorization, server.credentials);
  const route = parseRoute(url.pathname);
  authorize(user, method, url.pathname, route, url.searchParams);
  const attributes = attributesOf(user, request, route, url);
  // Read completely before any fault applies: the client may be gone by the time it is processed.
  const bytes = await readBody(request);
  const struck = { plan: server.faults, request: attributes, query: url.searchParams, reads: server.cluster };
  const { outcome, reply, reads, pretended } = await applyFault(struck);
  if (outcome === 'gone') response.destroy();
  if (outcome !== 'answered') return undefined;
  retained.reply = reply;

  if (route.kind !== 'resource') {
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed();
    const caching = { accept: headers.accept, ifNoneMatch: headers['if-none-match'] };
    const document = handleDocument(documentsOf(server), route, url.searchParams, caching);
    return document === PAGE_NOT_FOUND && route.kind === 'version' ? nothingThere(server, route.group) : document;
  }
  const resource = server.cluster.catalog.byPath(route.group, route.version, route.plural);
  if (resource === undefined) return nothingThere(server, route.group);
  const form = negotiate(headers.accept);
  if (form === undefined) throw notAcceptable(offered(resource, route), resource.definition.custom);
  const context: RequestContext = {
    cluster: server.cluster,
    reads,
    faults: server.faults,
    attributes,
    tokens: server.credentials.issuer,
    user,
    method,
    query: url.searchParams,
    accept: headers.accept,
    form,
    type: mediaType(headers['content-type']),
    bytes,
    userAgent: headers['user-agent'] ?? '',
    warnings,
  };
  if (pretended) return { code: 200, body: objectBody(context).object, format: context.form.format };
  const actor = { user: user.name, userAgent: context.userAgent, verb: attributes.verb };
  return server.history.during(
    actor,
    () => handleRequested(server, context, resource, route) ?? handleResource(context, resource, route, response),
  );
}

function attributesOf(user: User, { method = 'GET' }: IncomingMessage, route: Route, url: URL): RequestAttributes {
  const nothing = { group: '', resource: '', namespace: '', name: '', subresource: '' };
  const common = { ...nothing, path: url.pathname, user: user.name };
  if (route.kind !== 'resource') return { ...common, verb: method.toLowerCase() };
  const { group, plural: resource, namespace, name, subresource } = route;
  const verb = verbOf(method, route, url.searchParams);
  return { ...common, verb, group, resource, namespace, name, subresource };
}

/** Below the groups of built-in kinds, an unknown path is a Status; at any other path it is plain text. */
function nothingThere({ cluster }: ApiServer, group: string): Reply {
  if (cluster.catalog.all().some((each) => !each.custom && each.group === group)) throw resourceNotFound();
  return PAGE_NOT_FOUND;
}

/** Collections of built-in kinds can also be watched. */
function offered({ definition }: ServedResource, { name }: ResourceRoute): readonly string[] {
  if (definition.custom || name !== '') return OFFERED;
  return [...OFFERED, 'application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];
}

/** Reviews and tokens: computed answers that are not stored. */
function handleRequested(
  server: ApiServer,
  context: RequestContext,
  resource: ServedResource,
  route: ResourceRoute,
): Reply | undefined {
  const { format } = context.form;
  const { definition } = resource;
  if (route.plural === 'serviceaccounts' && route.subresource === 'token') {
    if (context.method !== 'POST') throw methodNotAllowed();
    const { namespace, name } = route;
    const body = requestToken(
      context.cluster,
      context.tokens,
      { resource, namespace, name },
      objectBody(context).object,
    );
    return { code: 201, body, format };
  }
  if (definition.verbs.length > 1 || definition.verbs[0] !== 'create') return undefined;
  if (route.name !== '') throw notFound(definition, route.name);
  if (context.method !== 'POST') throw methodNotAllowed();
  const { tokens: known, issuer: tokens } = server.credentials;
  const body = answerReview(resourceKey(definition), objectBody(context).object, { user: context.user, tokens, known });
  return body === undefined ? undefined : { code: 201, body, format };
}

function documentsOf({ cluster, openApi, address }: ApiServer): ApiDocuments {
  return { catalog: cluster.catalog, openApi, address: address() };
}

function failure(server: ApiServer, request: IncomingMessage, error: unknown): Reply {
  const isExpected = error instanceof StatusError;
  if (!isExpected)
    server.log.error('kube-sim', 'a request failed', {
      method: request.method ?? '',
      path: (request.url ?? '').split('?')[0] ?? '',
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  const { status } = isExpected ? error : internalError(error instanceof Error ? error.message : String(error));
  const retry = status.details?.retryAfterSeconds;
  return {
    code: status.code,
    body: failureStatus(status),
    ...(retry === undefined ? {} : { headers: { 'retry-after': String(retry) } }),
  };
}
