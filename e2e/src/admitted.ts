/** Asserts what a server says of objects. */
import { assert } from '@meshrelay/testing';
import type { CustomResource, CustomResources } from '@meshrelay/testing/custom-resources';

/** @throws AssertionError with the first object that the server refuses, and its words */
export async function assertAdmitted(server: CustomResources, objects: readonly CustomResource[]): Promise<void> {
  for (const object of objects) {
    const { status, text } = await server.judge(object);
    const { namespace, name } = object.metadata ?? {};
    assert.is(status, 201, `${object.kind} ${namespace}/${name} is refused: ${text}`);
  }
}
