/** Requests explanations from a running server. */
import type { ExplainAnswer, ExplainDocument } from '@meshrelay/relay-core';
import { callServer, rejectionOf, type ServerChoice } from '../server/call-server.ts';

const OTHERWISE = ', or work from files with --cluster NAME=PATH';

/** @throws InputError if no server or another program answers, or if the server rejects the token */
export async function explainByServer(choice: ServerChoice, object: string): Promise<ExplainAnswer> {
  const path = object.split('/').map(encodeURIComponent).join('/');
  const answer = await callServer(choice, `/api/v1/explain/${path}`, OTHERWISE);
  if (answer.ok) return { document: answer.body as unknown as ExplainDocument };
  const { error, candidates } = answer.body;
  if (typeof error === 'string' && Array.isArray(candidates))
    return { problem: answer.status === 409 ? 'AMBIGUOUS' : 'NOT_FOUND', message: error, candidates };
  throw rejectionOf(choice, answer);
}
