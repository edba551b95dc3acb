/** The user of this command, for the audit log. */
import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { KubeConnection } from '@meshrelay/kube';
import { CHANGED_BY_ANNOTATION, REQUEST_ANNOTATION } from '@meshrelay/relay-core';

/** Annotations for a changed object: the requester, from the API server if it supports that, and a request id. */
export async function requestNotes(management: KubeConnection): Promise<Readonly<Record<string, string>>> {
  return { [CHANGED_BY_ANNOTATION]: `${await userOf(management)} by meshctl`, [REQUEST_ANNOTATION]: randomUUID() };
}

interface SelfSubjectReview {
  readonly status?: { readonly userInfo?: { readonly username?: string } };
}

async function userOf(management: KubeConnection): Promise<string> {
  const apiVersion = 'authentication.k8s.io/v1';
  try {
    const review = await management.request<SelfSubjectReview>({
      what: 'ask who I am',
      method: 'POST',
      path: `/apis/${apiVersion}/selfsubjectreviews`,
      body: { apiVersion, kind: 'SelfSubjectReview' },
    });
    const { username } = review.status?.userInfo ?? {};
    if (username !== undefined && username !== '') return username;
  } catch {
    // Older API servers do not support this; the user name on this machine is better than none.
  }
  return `${userInfo().username} (on this machine)`;
}
