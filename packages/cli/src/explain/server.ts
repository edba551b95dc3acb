/** Explanations by a running server. */
import type { ExplainAnswer, ExplainDocument } from '@meshrelay/relay-core';
import { askServer, bodyOf, refusalOf } from '../server/ask-server.ts';

const OTHERWISE = ', or work from files with --cluster NAME=PATH';

/**
 * @param tokenFile a file with the token to show, for a server with `http.auth`
 * @throws InputError where no server answers there, something else does, or the token does not open it
 */
export async function explainByServer(server: string, object: string, tokenFile?: string): Promise<ExplainAnswer> {
  const path = object.split('/').map(encodeURIComponent).join('/');
  const choice = { server, tokenFile };
  const response = await askServer(choice, `/api/v1/explain/${path}`, { otherwise: OTHERWISE });
  const body = await bodyOf(response);
  if (response.ok) return { document: body as unknown as ExplainDocument };
  const { error, candidates } = body;
  if (typeof error === 'string' && Array.isArray(candidates))
    return { problem: response.status === 409 ? 'AMBIGUOUS' : 'NOT_FOUND', message: error, candidates };
  throw refusalOf(choice, response, error);
}
